/** A trial that is left to the engine. Its message says what of it is outside the screen, to stand behind a count of trials. */
export class ScreenRefusal extends Error {
  override readonly name = 'ScreenRefusal';
}

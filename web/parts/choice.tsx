/** A choice of one of a few, all of them visible. */
export function Choice<Value extends string | number | null>({
  legend,
  name,
  choices,
  value,
  onChoose,
}: {
  readonly legend: string;
  readonly name: string;
  readonly choices: readonly (readonly [label: string, value: Value])[];
  readonly value: Value | undefined;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{legend}</legend>
      {choices.map(([label, one]) => (
        <label key={label}>
          <input type="radio" name={name} checked={value === one} onChange={() => onChoose(one)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

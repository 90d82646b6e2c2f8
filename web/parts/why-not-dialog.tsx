import type { WhyNotView } from '#domain/why-not.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { Store, useStore } from '../live/store.ts';
import { said } from '../words/said.ts';
import { momentText } from '../words/times.ts';
import { Dialog } from './dialog.tsx';
import { Nothing } from './section.tsx';

const whyNotStore = new Store<string | null>(null);

export const showWhyNot = (strategy: string): void => whyNotStore.set(strategy);

/** Why a strategy has no order now, what to do about it, and what it saw: the words of `kairos why-not`. */
export function WhyNotDialog() {
  const strategy = useStore(whyNotStore);
  return strategy === null ? null : <WhyNot key={strategy} strategy={strategy} />;
}

function WhyNot({ strategy }: { readonly strategy: string }) {
  const found = useLookedUp<WhyNotView>('/api/why-not');
  const answer = found?.kind === 'done' ? found.body.answers.find((one) => one.strategy === strategy) : undefined;
  return (
    <Dialog title={`Why ${strategy} has no order`} onClose={() => whyNotStore.set(null)}>
      {found === null && <Nothing>The daemon is asked.</Nothing>}
      {found !== null && found.kind !== 'done' && <p role="alert">{found.why}</p>}
      {answer && (
        <>
          <p>{said(answer.answer, Date.parse(answer.at))}</p>
          <dl class="story">
            {[{ about: 'then', text: answer.advice }, ...answer.facts, { about: 'as of', text: momentText(answer.at) }].map(
              ({ about, text }, n) => (
                <div key={`${n} ${about}`}>
                  <dt>{about}</dt>
                  <dd>{said(text, Date.parse(answer.at))}</dd>
                </div>
              ),
            )}
          </dl>
        </>
      )}
    </Dialog>
  );
}

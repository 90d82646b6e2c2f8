import { useEffect, useState } from 'preact/hooks';
import type { HandTask } from '../../src/domain/hand.ts';
import { type Answer, look } from '../live/ask.ts';
import { exact } from '../words/numbers.ts';

const EVERY_MS = 500;

/** How far something asked of the desk has come, until it is over. */
export function Progress({ path }: { readonly path: string }) {
  const [answer, setAnswer] = useState<Answer<HandTask> | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const again = async (): Promise<void> => {
      const found = await look<HandTask>(path);
      if (isOver) return;
      setAnswer(found);
      if (found.kind !== 'done' || !found.body.ended) timer = setTimeout(again, EVERY_MS);
    };
    void again();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path]);
  if (answer === null) return null;
  if (answer.kind !== 'done') return <p role="alert">{answer.why}</p>;
  return <TaskParts task={answer.body} />;
}

/** What a person asked for, book by book. */
export function TaskParts({ task }: { readonly task: HandTask }) {
  if (task.refused) return <p class="failed">{task.refused.why}</p>;
  if (task.parts.length === 0) return <p>{task.ended ? 'There was nothing to do.' : 'Under way.'}</p>;
  return (
    <ul class="parts">
      {task.parts.map(({ book, product, wants, state, held, orders, why }) => (
        <li key={`${book} ${product}`}>
          <b>
            {book} {product}
          </b>
          : {wants}, {state}; {exact(held)} is held
          {orders.length > 0 && `; orders ${orders.map((one) => `${one.orderId} ${one.state}`).join(', ')}`}
          {why !== null && `; ${why}`}
        </li>
      ))}
    </ul>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { ManualTask } from '#domain/manual-request.ts';
import type { RemoteTask } from '#domain/remote.ts';
import { type Answer, look } from '../live/ask.ts';
import { manualEnd } from '../words/manual-end.ts';
import { exact } from '../words/numbers.ts';
import { remoteTone } from '../words/remote.ts';
import { Badge } from './badge.tsx';

const EVERY_MS = 500;

/** Polls a task of the daemon until it ends. */
function useTask<Task extends { readonly ended: boolean }>(path: string): Answer<Task> | null {
  const [answer, setAnswer] = useState<Answer<Task> | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const again = async (): Promise<void> => {
      const found = await look<Task>(path);
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
  return answer;
}

/** The progress of a manual request, until it ends: `taken` is said of it so long, and then what came of it. */
export function ManualProgress({ id, taken }: { readonly id: string; readonly taken: string }) {
  const answer = useTask<ManualTask>(`/api/by-hand/${encodeURIComponent(id)}`);
  const task = answer?.kind === 'done' ? answer.body : null;
  const end = task && manualEnd(task);
  return (
    <>
      {end ? (
        <p class={end.isGood ? 'result' : 'failed'} role="status">
          {end.says}
        </p>
      ) : (
        !task?.ended && <p role="status">{taken}</p>
      )}
      {answer !== null && answer.kind !== 'done' && <p role="alert">{answer.why}</p>}
      {task && <TaskParts task={task} />}
    </>
  );
}

/** The service's answer to a request, and whether its effect was read back. */
export function RemoteProgress({ id }: { readonly id: string }) {
  const answer = useTask<RemoteTask>(`/api/remote/${encodeURIComponent(id)}`);
  if (answer === null) return null;
  if (answer.kind !== 'done') return <p role="alert">{answer.why}</p>;
  const { status, httpStatus, response, ended } = answer.body;
  return (
    <p class={status === 'failed' || status === 'unknown' ? 'failed' : undefined} role="status">
      <Badge tone={remoteTone(status)}>{status}</Badge> {MEANINGS[status]}
      {httpStatus !== null && ` The service answered ${httpStatus}.`}
      {response !== '' && ` ${response}`}
      {!ended && ' Looking for its effect.'}
    </p>
  );
}

const MEANINGS: Readonly<Record<RemoteTask['status'], string>> = {
  asked: 'On its way, or taken by the service.',
  confirmed: 'Done: the service reads it back.',
  unverified: 'It may or may not be done.',
  unknown: 'An unknown strategy may exist: settle it below.',
  failed: 'Refused, and nothing was done.',
  skipped: 'Not asked for.',
};

/** The progress of a person's request, book by book. */
export function TaskParts({ task }: { readonly task: ManualTask }) {
  if (task.refused) return <p class="failed">{task.refused.why}</p>;
  if (task.parts.length === 0) return <p>{task.ended ? 'There was nothing to do.' : 'Under way.'}</p>;
  return (
    <ul class="parts">
      {task.parts.map(({ book, product, wants, state, left, orders, why }) => (
        <li key={`${book} ${product}`}>
          <b>
            {book} {product}
          </b>
          : {wants}, {state === 'open' ? 'not finished' : state}; now {exact(left)} is held
          {orders.length > 0 && `; orders ${orders.map((one) => `${one.orderId} ${one.state}`).join(', ')}`}
          {why !== null && `; ${why}`}
        </li>
      ))}
    </ul>
  );
}

import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ActRequest, askedStore, type FormField, type FormValues } from '../acts/act-request.ts';
import { type Answer, act } from '../live/ask.ts';
import { model } from '../live/model.ts';
import { forgetToken, keepToken, keepWho, tokenKept, whoKept } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { firstFocus } from '../words/first-focus.ts';
import { unreached } from '../words/reach.ts';
import { Backtest } from './backtest.tsx';
import { Dialog } from './dialog.tsx';
import { OrderPreview } from './order-preview.tsx';
import { ManualProgress, RemoteProgress } from './progress.tsx';

const OPS_TOKEN = (
  <>
    in the file <code>ops-token</code> beside the journal, or in <code>ops.token</code>
  </>
);

/** The dialog of an act: what will happen, who and why. It sends the act once and shows the result. `tokenIs`: where the token is. */
export function ActDialog({ tokenIs = OPS_TOKEN }: { readonly tokenIs?: ComponentChildren }) {
  const asked = useStore(askedStore);
  return asked === null ? null : <Asking key={asked.title} asked={asked} tokenIs={tokenIs} />;
}

function Asking({ asked, tokenIs }: { readonly asked: ActRequest; readonly tokenIs: ComponentChildren }) {
  const { title, says, facts, tone, button, act: name, fields, body, before, preview } = asked;
  const [who, setWho] = useState(whoKept());
  const [why, setWhy] = useState('');
  const [token, setToken] = useState(tokenKept());
  const [asksToken, setAsksToken] = useState(token === '');
  const [filled, setFilled] = useState<FormValues>(() =>
    Object.fromEntries(fields.map((field) => [field.name, 'initial' in field ? (field.initial ?? '') : ''])),
  );
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<Answer<Readonly<Record<string, unknown>>> | null>(null);
  const [first] = useState(() => firstFocus({ fields, isForGood: asked.isForGood === true, who, asksToken }));
  const tokenInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (answer?.kind === 'refused' && answer.token) tokenInput.current?.select();
  }, [answer]);
  const close = (): void => askedStore.set(null);
  const daemon = useStore(model.daemon);
  const cut = unreached(name, useStore(model.link).kind, daemon?.haltCommand ?? '');

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    keepWho(who.trim());
    const found = await act<Readonly<Record<string, unknown>>>(
      `/api/${name}`,
      { ...body(filled), who: who.trim(), why: why.trim() || 'by the page' },
      { token: token.trim(), instance: daemon?.instance },
    );
    const isRefused = found.kind === 'refused' && found.token;
    if (isRefused) forgetToken();
    else if (found.kind !== 'lost') keepToken(token.trim());
    setAsksToken(isRefused || (asksToken && found.kind === 'lost'));
    setAnswer(found);
    setSending(false);
  };

  if (answer?.kind === 'done') {
    return (
      <Dialog title={title} step="done" onClose={close}>
        <Result asked={asked} answer={answer.body} />
        <div class="tools">
          <button type="button" class="act" onClick={close} data-first>
            Done
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={close}>
      {(cut?.says ?? says).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {cut?.command && <code class="command">{cut.command}</code>}
      {before !== undefined && (
        <p class="before">
          {before.says}{' '}
          <a href={before.href} onClick={close}>
            {before.link}
          </a>
        </p>
      )}
      {facts.length > 0 && (
        <dl class="facts seen">
          {facts.map(({ key, value }) => (
            <Fragment key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {cut?.button !== null && (
        <form onSubmit={send}>
          {fields.map((field) => (
            <Input
              key={field.name}
              field={field}
              value={filled[field.name] ?? ''}
              onInput={(value) => setFilled({ ...filled, [field.name]: value })}
              isFirst={first === `field ${field.name}`}
            />
          ))}
          {preview && <OrderPreview path={preview(filled)} />}
          <label>
            Who
            <input
              required
              maxLength={200}
              autoComplete="name"
              data-first={first === 'who' || undefined}
              value={who}
              onInput={({ currentTarget }) => setWho(currentTarget.value)}
            />
          </label>
          <label>
            Why
            <input
              maxLength={200}
              autoComplete="off"
              placeholder="for the journal"
              data-first={first === 'why' || undefined}
              value={why}
              onInput={({ currentTarget }) => setWhy(currentTarget.value)}
            />
          </label>
          {asksToken && (
            <label>
              Token
              <input
                ref={tokenInput}
                type="password"
                required
                data-first={first === 'token' || undefined}
                autoComplete="off"
                value={token}
                aria-describedby="token-hint"
                onInput={({ currentTarget }) => setToken(currentTarget.value)}
              />
              <small id="token-hint">It is {tokenIs}. This tab keeps it until it is shut.</small>
            </label>
          )}
          {answer !== null && (
            <p class="failed" role="alert">
              {answer.why}
              {answer.kind === 'lost' && ' It is not known whether it was done: look at the decisions before you ask again.'}
            </p>
          )}
          <div class="tools">
            <button type="button" class="act" onClick={close}>
              Cancel
            </button>
            <button
              type="submit"
              class={tone === 'stop' ? 'halt' : 'act main'}
              aria-disabled={isSending}
              data-first={first === 'send' || undefined}
            >
              {isSending ? 'Sending' : (cut?.button ?? button)}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The result of an act, followed to its end if that takes longer. */
function Result({
  asked: { done, follow, told },
  answer,
}: {
  readonly asked: ActRequest;
  readonly answer: Readonly<Record<string, unknown>>;
}) {
  const { id } = answer;
  if (typeof id === 'string' && follow === 'by-hand') return <ManualProgress id={id} taken={done} />;
  const outcome = told?.(answer) ?? { isGood: true, says: [done] };
  return (
    <>
      <div class={outcome.isGood ? 'result' : 'failed'} role="status">
        {outcome.says.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {follow === 'backtest' && <Backtest />}
      {typeof id === 'string' && follow === 'remote' && <RemoteProgress id={id} />}
    </>
  );
}

function Input({
  field,
  value,
  onInput,
  isFirst,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isFirst: boolean;
}) {
  const id = `field-${field.name}`;
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      <Control id={id} field={field} value={value} onInput={onInput} isFirst={isFirst} />
    </div>
  );
}

function Control({
  id,
  field,
  value,
  onInput,
  isFirst,
}: {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isFirst: boolean;
}) {
  const shared = {
    'data-first': isFirst || undefined,
    id,
    required: true,
    autoComplete: 'off',
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  };
  switch (field.kind) {
    case 'choice':
      return (
        <select id={id} value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case 'decimal':
      return (
        <span class="with-unit">
          <input {...shared} inputMode="decimal" pattern="\d{1,16}(\.\d{1,18})?" title="a number such as 0.25" /> {field.unit}
        </span>
      );
    case 'moment':
      return <input {...shared} type="datetime-local" />;
    case 'text':
      return <input {...shared} required={field.isOptional !== true} maxLength={128} spellcheck={false} />;
    case 'word':
      return <input {...shared} pattern={exactly(field.word)} title={`type ${field.word}`} spellcheck={false} />;
  }
}

/** A pattern that exactly one text matches. */
const exactly = (text: string): string => text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');

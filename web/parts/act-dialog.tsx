import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Asked, askedStore, type Field, type Filled } from '../acts/asked.ts';
import { type Answer, act } from '../live/ask.ts';
import { forgetToken, keepToken, keepWho, tokenKept, whoKept } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { Dialog } from './dialog.tsx';
import { Progress } from './progress.tsx';

/** Puts an act before a person: what will happen, who asks and why; sends it once, and says what came of it. */
export function ActDialog() {
  const asked = useStore(askedStore);
  return asked === null ? null : <Asking key={asked.title} asked={asked} />;
}

function Asking({ asked }: { readonly asked: Asked }) {
  const { title, says, facts, tone, button, path, fields, body, done, follow } = asked;
  const [who, setWho] = useState(whoKept());
  const [why, setWhy] = useState('');
  const [token, setToken] = useState(tokenKept());
  const [asksToken, setAsksToken] = useState(token === '');
  const [filled, setFilled] = useState<Filled>(() => Object.fromEntries(fields.map(({ name, initial }) => [name, initial])));
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<Answer<Readonly<Record<string, unknown>>> | null>(null);
  const [first] = useState(who === '' ? 'who' : asksToken ? 'token' : 'send');
  const tokenInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (answer?.kind === 'refused' && answer.token) tokenInput.current?.select();
  }, [answer]);
  const close = (): void => askedStore.set(null);

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    keepWho(who.trim());
    const found = await act<Readonly<Record<string, unknown>>>(
      path,
      { ...body(filled), who: who.trim(), why: why.trim() || 'by the page' },
      token.trim(),
    );
    const isRefused = found.kind === 'refused' && found.token;
    if (isRefused) forgetToken();
    else if (found.kind !== 'lost') keepToken(token.trim());
    setAsksToken(isRefused || (asksToken && found.kind === 'lost'));
    setAnswer(found);
    setSending(false);
  };

  if (answer?.kind === 'done') {
    const { id } = answer.body;
    return (
      <Dialog title={title} step="done" onClose={close}>
        <p class="result" role="status">
          {done}
        </p>
        {follow !== undefined && typeof id === 'string' && <Progress path={`${follow}${encodeURIComponent(id)}`} />}
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
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
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
      <form onSubmit={send}>
        {fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={filled[field.name] ?? ''}
            onInput={(value) => setFilled({ ...filled, [field.name]: value })}
          />
        ))}
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
            <small id="token-hint">
              It is in the file <code>ops-token</code> beside the journal, or in <code>ops.token</code>. This tab keeps it until it is shut.
            </small>
          </label>
        )}
        {answer !== null && (
          <p class="failed" role="alert">
            {answer.why}
            {answer.kind === 'lost' && ' Whether it was done is not known: look at the decisions before you ask again.'}
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
            {isSending ? 'Sending' : button}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Input({ field, value, onInput }: { readonly field: Field; readonly value: string; readonly onInput: (value: string) => void }) {
  const { kind, name, label } = field;
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'choice' ? (
        <select id={id} value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <span class="with-unit">
          <input
            id={id}
            required
            inputMode="decimal"
            pattern="\d{1,16}(\.\d{1,18})?"
            title="a number such as 0.25"
            autoComplete="off"
            value={value}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />{' '}
          {field.unit}
        </span>
      )}
    </div>
  );
}

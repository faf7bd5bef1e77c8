import type { FC } from 'hono/jsx'
import { MASKED } from '../../domain/device-model/secret-value.ts'
import type { Intent, IntentState } from '../../domain/intents/records.ts'
import { isWork } from '../../domain/intents/work.ts'
import { type Frame, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { intentTexts } from './texts.ts'

const STYLES: Readonly<Record<IntentState, string>> = {
  pending: 'amber',
  sent: 'amber',
  applied: 'amber',
  verified: 'good',
  rebootRequired: 'amber',
  rejected: 'bad',
  unsupported: 'bad',
  conflict: 'bad',
  expired: 'bad',
}
/** More than anybody reads; the API has all of them. */
const MOST_SHOWN = 200

export const StateChip: FC<{ frame: Frame; state: IntentState }> = ({ frame, state }) => (
  <span class={`chip ${STYLES[state]}`}>{intentTexts(frame).states[state]}</span>
)

/** What is wanted of one charge point and not yet so, each with its reason and a button to withdraw it. */
export const Wanted: FC<{
  frame: Frame
  intents: readonly Intent[]
  /** Absent for who may only look. */
  withdraw?: { readonly to: string; readonly csrf: string }
}> = ({ frame, intents, withdraw }) => {
  const words = intentTexts(frame)
  const open = intents.filter(({ state }) => state !== 'verified')
  const verified = intents.length - open.length
  const hidden = open.length - MOST_SHOWN
  return (
    <section class="card" aria-labelledby="wanted">
      <h2 id="wanted">{words.wanted}</h2>
      {open.length === 0 ? <p class="soft">{words.nothingWanted}</p> : null}
      {open.length > 0 && (
        <div class="scrolls" tabindex={0}>
          <table class="cards">
            <Headings
              of={[
                words.what,
                words.value,
                words.state,
                words.reason,
                words.nextAttempt,
                words.changed,
                words.byConfiguration,
              ]}
            />
            <tbody>
              {open.slice(0, MOST_SHOWN).map((intent) => (
                <Row frame={frame} intent={intent} {...(withdraw && { withdraw })} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hidden > 0 && <p class="soft">{words.others(hidden)}</p>}
      {verified > 0 && <p class="soft">{words.verified(verified)}</p>}
    </section>
  )
}

const Row: FC<{ frame: Frame; intent: Intent; withdraw?: { readonly to: string; readonly csrf: string } }> = ({
  frame,
  intent: { kind, key, desired, isSecret, state, reason, nextAttemptAt, source, updatedAt },
  withdraw,
}) => {
  const words = intentTexts(frame)
  return (
    <tr>
      <TextCell class="host" label={words.what} text={key} />
      <TextCell class="host" label={words.value} text={isSecret ? MASKED : shownValue(desired)} />
      <td data-label={words.state}>
        <StateChip frame={frame} state={state} />
      </td>
      <TextCell label={words.reason} text={reason} />
      <td class="time">{nextAttemptAt !== undefined && shownTime(nextAttemptAt)}</td>
      <td class="time">{shownTime(updatedAt)}</td>
      <td>
        {source?.configuration !== undefined && (
          <a href={`${frame.root}/configurations/${encodeURIComponent(source.configuration)}`}>
            <bdi>{source.configuration}</bdi>
          </a>
        )}
        {source?.monitors && <bdi>{source.monitors.join(', ')}</bdi>}
        {!source && !isWork(kind) && withdraw && (
          <form class="buttons" method="post" action={withdraw.to}>
            <input type="hidden" name="csrf" value={withdraw.csrf} />
            <input type="hidden" name="kind" value={kind} />
            <input type="hidden" name="key" value={key} />
            <button type="submit" aria-label={`${words.withdraw} ${key}`}>
              {words.withdraw}
            </button>
          </form>
        )}
      </td>
    </tr>
  )
}

const LONGEST_VALUE = 200

function shownValue(desired: unknown): string {
  const text = typeof desired === 'string' ? desired : JSON.stringify(desired)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

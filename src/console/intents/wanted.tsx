import type { FC } from 'hono/jsx'
import { MASKED } from '../../domain/device-model/secret-value.ts'
import type { Intent, IntentState } from '../../domain/intents/records.ts'
import { isWork } from '../../domain/intents/work.ts'
import { Sealed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { Ago } from '../../web/times.tsx'
import { Table, TextLink } from '../kit/table.tsx'
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

interface WantedProps {
  readonly frame: Frame
  readonly intents: readonly Intent[]
  /** Absent for who may only look. */
  readonly withdraw: { readonly to: string; readonly csrf: string } | undefined
}

/** What is wanted of one charge point and not yet so, each with its reason and a button to withdraw it. */
export const Wanted: FC<WantedProps> = ({ frame, intents, withdraw }) => {
  const words = intentTexts(frame)
  const open = intents.filter(({ state }) => state !== 'verified')
  const verified = intents.length - open.length
  const hidden = open.length - MOST_SHOWN
  return (
    <section class="card" aria-labelledby="wanted">
      <h2 id="wanted">{words.wanted}</h2>
      <div class="scrolls" tabindex={open.length > 0 ? 0 : undefined}>
        <Table
          rows={open.slice(0, MOST_SHOWN)}
          empty={words.nothingWanted}
          columns={[
            { title: words.what, kind: 'host', text: ({ key }) => key },
            {
              title: words.value,
              kind: 'host',
              text: ({ isSecret, desired }) => (isSecret ? MASKED : shownValue(desired)),
            },
            { title: words.state, cell: ({ state }) => <StateChip frame={frame} state={state} /> },
            { title: words.reason, text: ({ reason }) => reason },
            {
              title: words.nextAttempt,
              kind: 'time',
              cell: ({ nextAttemptAt: at }) => at !== undefined && <Ago frame={frame} at={at} />,
            },
            { title: words.changed, kind: 'time', cell: ({ updatedAt }) => <Ago frame={frame} at={updatedAt} /> },
            {
              title: words.byConfiguration,
              cell: (intent) => <Source frame={frame} intent={intent} withdraw={withdraw} />,
            },
          ]}
        />
      </div>
      {hidden > 0 && <p class="soft">{words.others(hidden)}</p>}
      {verified > 0 && <p class="soft">{words.verified(verified)}</p>}
    </section>
  )
}

/** Who wants it; what a person wants alone can be withdrawn. */
const Source: FC<Omit<WantedProps, 'intents'> & { intent: Intent }> = ({ frame, intent, withdraw }) => {
  const words = intentTexts(frame)
  const { kind, key, source } = intent
  return (
    <>
      {source?.configuration !== undefined && (
        <TextLink
          to={`${frame.root}/configurations/${encodeURIComponent(source.configuration)}`}
          text={source.configuration}
        />
      )}
      {source?.monitors && <bdi>{source.monitors.join(', ')}</bdi>}
      {!source && !isWork(kind) && withdraw && (
        <form class="buttons" method="post" action={withdraw.to}>
          <Sealed csrf={withdraw.csrf} />
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="key" value={key} />
          <button type="submit" aria-label={`${words.withdraw} ${key}`}>
            {words.withdraw}
          </button>
        </form>
      )}
    </>
  )
}

const LONGEST_VALUE = 200

function shownValue(desired: unknown): string {
  const text = typeof desired === 'string' ? desired : JSON.stringify(desired)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

import type { FC } from 'hono/jsx'
import { isCarriedElsewhere } from '../../application/intents/orders.ts'
import { MASKED } from '../../domain/device-model/variable-names.ts'
import type { Intent, IntentState } from '../../domain/intents/records.ts'
import type { DesiredMonitor } from '../../domain/monitors/records.ts'
import { type Frame, Sealed } from '../../web/entries.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { ago, Chip, cutOff, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'

const STYLES: Readonly<Record<IntentState, string>> = {
  pending: '',
  sent: '',
  applied: '',
  verified: '',
  rebootRequired: 'amber held',
  rejected: 'bad',
  unsupported: 'amber held',
  conflict: 'bad',
  expired: 'amber',
}
const MAX_SHOWN = 200

export const StateChip: FC<{ frame: Frame; state: IntentState }> = ({ frame, state }) => (
  <Chip tone={STYLES[state]} text={wordsIn('intents', frame).states[state]} />
)

interface RequestedProps {
  readonly frame: Frame
  readonly intents: readonly Intent[]
  readonly withdraw: { readonly to: string; readonly csrf: string } | undefined
}

export const Requested: FC<RequestedProps> = ({ frame, intents, withdraw }) => {
  const words = wordsIn('intents', frame)
  const open = intents.filter(({ state }) => state !== 'verified')
  const verified = intents.length - open.length
  const hidden = open.length - MAX_SHOWN
  return (
    <TableCard<Intent>
      heading={words.requested}
      oneLine
      rows={open.slice(0, MAX_SHOWN)}
      empty={words.nothingRequested}
      columns={[
        cutOff(words.what, ({ key }) => key, { kind: 'host' }),
        cutOff(words.value, (intent) => shownValue(frame, intent), { wideOnly: true }),
        { title: words.state, width: 160, cell: ({ state }) => <StateChip frame={frame} state={state} /> },
        cutOff(words.reason, ({ reason = '' }) => translated(frame, reason), { wideOnly: true }),
        ago(frame, words.nextAttempt, ({ nextAttemptAt: at }) => at, { width: 136 }),
        ago(frame, words.changed, ({ updatedAt }) => updatedAt),
        {
          title: words.byConfiguration,
          width: 160,
          cell: (intent) => <Source frame={frame} intent={intent} withdraw={withdraw} />,
        },
      ]}
      after={
        <>
          {hidden > 0 && <p class="soft">{words.others(hidden)}</p>}
          {verified > 0 && <p class="soft">{words.verified(verified)}</p>}
        </>
      }
    />
  )
}

const Source: FC<Omit<RequestedProps, 'intents'> & { intent: Intent }> = ({ frame, intent, withdraw }) => {
  const words = wordsIn('intents', frame)
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
      {!source && !isCarriedElsewhere(kind) && withdraw && (
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

const MAX_VALUE_LENGTH = 200

function shownValue(frame: Frame, { kind, isSecret, desired }: Intent): string {
  if (isSecret) return MASKED
  const text = kind === 'monitor' ? monitorText(frame, desired as DesiredMonitor) : plainText(desired)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

function monitorText(frame: Frame, { type, value, severity, clear }: DesiredMonitor): string {
  const words = wordsIn('monitors', frame)
  return clear ? words.cleared : `${words.types[type]} ${value}, ${words.severity} ${severity}`
}

function plainText(desired: unknown): string {
  if (typeof desired !== 'object' || desired === null) return String(desired)
  return Object.entries(desired)
    .map(([name, value]) => `${name}: ${plainText(value)}`)
    .join(', ')
}

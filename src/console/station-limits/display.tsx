/** What the display of a charge point is to show, how far each message is, and what it has besides (CONSOLE-G10). */

import type { FC } from 'hono/jsx'
import {
  DISPLAY_STATES,
  type DisplayMessage,
  MESSAGE_FORMATS,
  MESSAGE_PRIORITIES,
  type StationMessage,
} from '../../domain/display-messages/records.ts'
import { desiredMessageOf } from '../../domain/display-messages/rules.ts'
import type { Intent } from '../../domain/intents/records.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { Typed } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { At } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { acts } from '../charge-points/station-head.tsx'
import { Form } from '../kit/form.tsx'
import { Chip, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'

interface DisplayProps {
  readonly visit: Visit
  readonly view: ChargePointView
  readonly requested: readonly Intent[]
  readonly others: readonly StationMessage[]
}

interface Row {
  readonly message: Omit<DisplayMessage, 'id'>
  readonly intent?: Intent | undefined
}

/** Not where the version has no such messages; a charge point that has never connected may (DRIVER-M2). */
export function hasDisplay({ status }: ChargePointView): boolean {
  const version = versionOf(status.protocol)
  return !version || version.intents.displayMessage !== undefined
}

export const Display: FC<DisplayProps> = ({ visit, view, requested, others }) => {
  const { frame } = visit
  const words = wordsIn('displayMessages', frame)
  const states = wordsIn('intents', frame).states
  const rows: readonly Row[] = [
    ...requested.map((intent) => ({ intent, message: desiredMessageOf(intent) })),
    ...others.map(({ message }) => ({ message })),
  ]
  if (rows.length === 0 && !hasDisplay(view)) return null
  return (
    <TableCard<Row>
      heading={words.display}
      live="display"
      rows={rows}
      empty={words.none}
      columns={[
        { title: words.name, text: ({ intent }) => intent?.key ?? words.own },
        { title: words.content, text: ({ message }) => message.content },
        {
          title: words.shown,
          cell: ({ message: { state, priority } }) =>
            [state === undefined ? words.always : words.whens[state], words.priorities[priority] ?? priority]
              .filter(Boolean)
              .join(' · '),
        },
        {
          title: words.until,
          kind: 'time',
          cell: ({ message: { endAt } }) => endAt !== undefined && <At frame={frame} at={endAt} />,
        },
        {
          title: words.state,
          cell: ({ intent }) =>
            intent && (
              <>
                <Chip
                  tone={intent.state === 'rejected' || intent.state === 'unsupported' ? 'bad held' : ''}
                  text={states[intent.state]}
                />{' '}
                {intent.reason !== undefined && <bdi class="soft">{intent.reason}</bdi>}
              </>
            ),
        },
        acts(
          visit,
          ({ intent }) =>
            intent && {
              to: 'display-messages/remove',
              sent: { name: intent.key },
              ask: words.removeAsk,
              order: words.removeOf(intent.key),
              text: words.remove,
            },
        ),
      ]}
    />
  )
}

type DisplayFormProps = Pick<DisplayProps, 'visit' | 'view'> & { typed: Typed | undefined }

export const DisplayForm: FC<DisplayFormProps> = ({ visit, view, typed }) => {
  const words = wordsIn('displayMessages', visit.frame)
  return (
    <Form
      {...{ visit, action: actionOf(visit.context), title: words.make, lead: words.lead, once: true, typed }}
      to={`${chargePointPath(visit.frame, view.id)}/display-messages`}
      refused={words.notDone}
      fields={[
        { name: 'message', label: words.name, value: 'notice', hint: words.nameHint, maxlength: 200 },
        { name: 'content', label: words.content, lines: true },
        {
          beside: true,
          hint: words.languageHint,
          fields: [
            { name: 'language', label: words.language, maxlength: 8 },
            { name: 'format', label: words.format, value: 'UTF8', options: named(MESSAGE_FORMATS, {}) },
            {
              name: 'priority',
              label: words.priority,
              value: 'NormalCycle',
              options: named(MESSAGE_PRIORITIES, words.priorities),
            },
            { name: 'state', label: words.shown, options: { '': words.always, ...named(DISPLAY_STATES, words.whens) } },
          ],
        },
        { name: 'shownMinutes', label: words.minutes, hint: words.minutesHint, inputmode: 'numeric' },
      ]}
      submit={words.show}
    />
  )
}

function named(all: readonly string[], words: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(all.map((one) => [one, words[one] ?? one]))
}

import type { FC } from 'hono/jsx'
import type { Selector } from '../../domain/records/selector.ts'
import type { Frame, Typed } from '../../web/entries.tsx'
import { TextLink } from '../../web/parts/table.tsx'
import type { FieldGroup, Fields } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { PLAIN_MEMBERS } from './selector-form.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MAX_NAMED = 20

/** @param count where the form is sent for counting; @param selected who matches, once counted */
export function selectorFields(frame: Frame, typed: Typed, count: string, selected?: readonly string[]): FieldGroup {
  const words = wordsIn('selector', frame)
  const out: Fields = [
    { name: 'notIds', label: words.notIds, lines: true },
    { name: 'notLabels', label: words.notLabels, lines: true },
  ]
  const leavesOut = typed.form.get('notIds') || typed.form.get('notLabels')
  return {
    legend: words.which,
    hint: words.whichHint,
    fields: [
      { name: 'ids', label: words.ids, lines: true },
      { name: 'labels', label: words.labels, lines: true },
      {
        beside: true,
        fields: PLAIN_MEMBERS.map((name) => ({ name, label: words[name] })),
      },
      { folded: { title: words.leftOut, open: Boolean(leavesOut) }, fields: out },
    ],
    more: (
      <div class="buttons">
        <button type="submit" formaction={count} formnovalidate>
          {words.count}
        </button>
        <span role="status" data-tried="selected">
          {selected && <Selected frame={frame} ids={selected} />}
        </span>
      </div>
    ),
  }
}

const Selected: FC<{ frame: Frame; ids: readonly string[] }> = ({ frame, ids }) => {
  const words = wordsIn('selector', frame)
  return (
    <>
      {ids.length === 0 ? words.matchesNoUser : words.means(ids.length)}{' '}
      {ids.slice(0, MAX_NAMED).map((id) => (
        <>
          <TextLink class="host" to={chargePointPath(frame, id)} text={id} />{' '}
        </>
      ))}
      {ids.length > MAX_NAMED && words.andMore(ids.length - MAX_NAMED)}
    </>
  )
}

export function windowFields(frame: Frame, timeZone: string): FieldGroup {
  const words = wordsIn('selector', frame)
  return {
    legend: words.hours,
    hint: words.hoursHint,
    fields: [
      {
        beside: true,
        fields: [
          { name: 'start', label: words.start, type: 'time' },
          { name: 'end', label: words.end, type: 'time' },
          { name: 'timeZone', label: words.timeZone, value: timeZone },
        ],
      },
      { name: 'days', label: words.days, ticks: { of: DAYS, names: words.weekdays } },
    ],
  }
}

export const SelectorText: FC<{ frame: Frame; selector: Selector }> = ({ frame, selector }) => (
  <bdi>{selectorText(frame, selector)}</bdi>
)

export function selectorText(frame: Frame, selector: Selector): string {
  const words = wordsIn('selector', frame)
  const { ids, labels = {}, not, ...plain } = selector
  const out = [...(not?.ids ?? []), ...Object.entries(not?.labels ?? {}).map(([key, value]) => `${key}: ${value}`)]
  const more = out.length > MAX_NAMED ? ` ${words.andMore(out.length - MAX_NAMED)}` : ''
  const parts = [
    ...(ids ? [ids.slice(0, MAX_NAMED).join(', ')] : []),
    ...(ids && ids.length > MAX_NAMED ? [words.andMore(ids.length - MAX_NAMED)] : []),
    ...Object.entries(labels).map(([key, value]) => `${key}: ${value}`),
    ...PLAIN_MEMBERS.flatMap((name) => (plain[name] === undefined ? [] : [`${words[name]}: ${plain[name]}`])),
  ]
  const who = parts.length > 0 ? parts.join(' · ') : words.everybody
  return out.length === 0 ? who : `${who} ${words.except} ${out.slice(0, MAX_NAMED).join(', ')}${more}`
}

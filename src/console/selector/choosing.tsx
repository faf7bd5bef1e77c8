/** Fields by which charge points and hours are chosen, and what a selector means in words. */
import type { FC } from 'hono/jsx'
import type { Selector } from '../../domain/records/selector.ts'
import { Entry, Lines, Ticks, type Typed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointPath } from '../paths.ts'
import { choosingTexts } from './texts.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MOST_NAMED = 20

/** @param count where the same form is sent for counting them; @param meant who is meant, once it was counted */
export const SelectorFields: FC<{
  frame: Frame
  typed: Typed
  count: string
  selected?: readonly string[] | undefined
}> = ({ frame, typed, count, selected }) => {
  const words = choosingTexts(frame)
  return (
    <fieldset>
      <legend>{words.which}</legend>
      <p class="soft">{words.whichHint}</p>
      <Lines label={words.ids} name="ids" typed={typed} />
      <Lines label={words.labels} name="labels" typed={typed} />
      <div class="narrowing">
        <Entry label={words.vendor} name="vendor" typed={typed} />
        <Entry label={words.model} name="model" typed={typed} />
        <Entry label={words.firmwareVersion} name="firmwareVersion" typed={typed} />
      </div>
      <details open={typed.form.get('notIds') || typed.form.get('notLabels') ? true : undefined}>
        <summary>{words.leftOut}</summary>
        <Lines label={words.notIds} name="notIds" typed={typed} />
        <Lines label={words.notLabels} name="notLabels" typed={typed} />
      </details>
      <div class="buttons">
        <button type="submit" formaction={count} formnovalidate>
          {words.count}
        </button>
        {selected && <Selected frame={frame} ids={selected} />}
      </div>
    </fieldset>
  )
}

const Selected: FC<{ frame: Frame; ids: readonly string[] }> = ({ frame, ids }) => {
  const words = choosingTexts(frame)
  return (
    <span role="status">
      {ids.length === 0 ? words.meansNobody : words.means(ids.length)}{' '}
      {ids.slice(0, MOST_NAMED).map((id) => (
        <>
          <a class="host" href={chargePointPath(frame, id)}>
            <bdi>{id}</bdi>
          </a>{' '}
        </>
      ))}
      {ids.length > MOST_NAMED && words.andMore(ids.length - MOST_NAMED)}
    </span>
  )
}

export const WindowFields: FC<{ frame: Frame; typed: Typed; timeZone: string }> = ({ frame, typed, timeZone }) => {
  const words = choosingTexts(frame)
  return (
    <fieldset>
      <legend>{words.hours}</legend>
      <p class="soft">{words.hoursHint}</p>
      <div class="narrowing">
        <Entry label={words.start} name="start" type="time" typed={typed} />
        <Entry label={words.end} name="end" type="time" typed={typed} />
        <Entry label={words.timeZone} name="timeZone" typed={typed} value={timeZone} />
      </div>
      <Ticks label={words.days} name="days" typed={typed} options={DAYS} ticked={[]} />
    </fieldset>
  )
}

export const SelectorText: FC<{ frame: Frame; selector: Selector }> = ({ frame, selector }) => {
  const words = choosingTexts(frame)
  const { ids, labels = {}, vendor, model, firmwareVersion, not } = selector
  const out = [...(not?.ids ?? []), ...Object.entries(not?.labels ?? {}).map(([key, value]) => `${key}: ${value}`)]
  const more = out.length > MOST_NAMED ? ` ${words.andMore(out.length - MOST_NAMED)}` : ''
  const parts = [
    ...(ids ? [ids.slice(0, MOST_NAMED).join(', ')] : []),
    ...(ids && ids.length > MOST_NAMED ? [words.andMore(ids.length - MOST_NAMED)] : []),
    ...Object.entries(labels).map(([key, value]) => `${key}: ${value}`),
    ...(vendor !== undefined ? [`${words.vendor}: ${vendor}`] : []),
    ...(model !== undefined ? [`${words.model}: ${model}`] : []),
    ...(firmwareVersion !== undefined ? [`${words.firmwareVersion}: ${firmwareVersion}`] : []),
  ]
  const who = parts.length > 0 ? parts.join(' · ') : words.everybody
  if (out.length === 0) return <bdi>{who}</bdi>
  return (
    <bdi>
      {who} {words.except} {out.slice(0, MOST_NAMED).join(', ')}
      {more}
    </bdi>
  )
}

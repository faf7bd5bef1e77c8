import type { FC } from 'hono/jsx'
import { CONNECTOR_STATUSES } from '../../application/charge-points/find.ts'
import { Field, type Frame } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { operatorTexts } from '../texts.ts'
import type { ListQuery } from './list-query.ts'
import { chargePointTexts } from './texts.ts'

/** Behind the fold. */
const RARE = ['vendor', 'model', 'firmwareVersion', 'site', 'label', 'securityProfile', 'registration', 'charging']

/** What the list of charge points is narrowed and sorted by: a form that is its address. */
export const Narrowing: FC<{ frame: Frame; path: string; query: ListQuery }> = ({ frame, path, query }) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  const own = chargePointTexts(frame)
  const { asked, wrong } = query
  const value = (name: string): string => asked.get(name) ?? ''
  // A label and a status beyond the first have no field of their own, and stay.
  const kept = ['label', 'status', 'registration'].flatMap((name) =>
    asked
      .getAll(name)
      .slice(1)
      .map((text) => [name, text] as const),
  )
  return (
    <form class="card" method="get" action={path}>
      <div class="narrowing">
        <Field label={own.search} name="q" type="search" value={value('q')} />
        <Choice
          label={own.connection}
          name="online"
          chosen={value('online')}
          any={own.any}
          options={{ true: texts.online, false: texts.offline }}
        />
        <Choice
          label={own.status}
          name="status"
          chosen={value('status')}
          any={own.any}
          options={Object.fromEntries(CONNECTOR_STATUSES.map((status) => [status, status]))}
        />
        <Choice label={own.sort} name="sort" chosen={value('sort')} options={own.sorts} />
        <Choice label={own.order} name="order" chosen={value('order')} options={own.orders} />
        <button type="submit">{own.find}</button>
      </div>
      <details open={RARE.some((name) => asked.has(name))}>
        <summary>{own.moreFilters}</summary>
        <div class="narrowing">
          <Field label={own.site} name="site" value={value('site')} />
          <Field label={own.label} name="label" value={value('label')} />
          <Field label={own.vendor} name="vendor" value={value('vendor')} />
          <Field label={words.model} name="model" value={value('model')} />
          <Field label={words.firmware} name="firmwareVersion" value={value('firmwareVersion')} />
          <Choice
            label={own.profile}
            name="securityProfile"
            chosen={value('securityProfile')}
            any={own.any}
            options={Object.fromEntries(Object.entries(own.profiles))}
          />
          <Choice
            label={words.registration}
            name="registration"
            chosen={value('registration')}
            any={own.any}
            options={words.registrations}
          />
          <Choice
            label={own.charging}
            name="charging"
            chosen={value('charging')}
            any={own.any}
            options={{ true: own.yes }}
          />
        </div>
      </details>
      {kept.map(([name, text]) => (
        <input type="hidden" name={name} value={text} />
      ))}
      {wrong.length > 0 && (
        <Warning>
          {own.wrong} {wrong.map((name) => `${name} = ${asked.getAll(name).join(', ')}`).join('; ')}
        </Warning>
      )}
      {asked.size > 0 && (
        <p class="filters">
          <a href={path}>{own.clear}</a>
        </p>
      )}
    </form>
  )
}

const Choice: FC<{
  label: string
  name: string
  chosen: string
  /** What it is called when nothing is chosen; absent: the first is. */
  any?: string
  options: Readonly<Record<string, string>>
}> = ({ label, name, chosen, any, options }) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      {any !== undefined && <option value="">{any}</option>}
      {Object.entries(options).map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

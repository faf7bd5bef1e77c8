import type { FC } from 'hono/jsx'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { SelectorFields, WindowFields } from '../selector/choosing.tsx'
import { EMPTY_FIELDS, keyRows, variableRows, withEmpty } from './form.ts'
import { configurationTexts } from './texts.ts'

const ATTRIBUTES = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const

/** A configuration is made or changed: a form that counts whom it means, and grows by rows. */
export const ConfigurationFormPage: FC<{
  frame: Frame
  /** Of the one that is changed. */
  name?: string
  typed: Typed
  selected?: readonly string[]
  csrf: string
  once: string
  timeZone: string
}> = ({ frame, name, typed, selected, csrf, once, timeZone }) => {
  const words = configurationTexts(frame)
  const list = `${frame.root}/configurations`
  const own = name === undefined ? undefined : `${list}/${encodeURIComponent(name)}`
  const trial = own ? `${own}/try` : `${frame.root}/new-configuration/try`
  const fault = typed.faults.form
  return (
    <Page frame={frame} title={name ?? words.make} wide>
      <form class="card" method="post" action={own ? `${own}/edit` : `${frame.root}/new-configuration`}>
        <h1>{name === undefined ? words.make : <bdi>{name}</bdi>}</h1>
        <Sealed csrf={csrf} once={once} />
        {fault !== undefined && (
          <Warning>
            {words.notSaved} {fault}
          </Warning>
        )}
        {name === undefined && <Entry label={words.name} name="name" typed={typed} hint={words.nameHint} required />}
        <SelectorFields frame={frame} typed={typed} count={trial} {...(selected && { selected })} />
        <Variables frame={frame} typed={typed} />
        <Keys frame={frame} typed={typed} />
        <p class="soft">{words.secretHint}</p>
        <p>
          <button type="submit" formaction={trial} formnovalidate>
            {words.more}
          </button>
        </p>
        <Choice label={words.reboot} name="rebootPolicy" typed={typed} value="never" options={words.policies} />
        <WindowFields frame={frame} typed={typed} timeZone={timeZone} />
        <Entry
          label={words.priority}
          name="priority"
          typed={typed}
          value="0"
          hint={words.priorityHint}
          inputmode="numeric"
        />
        <Submit>{words.save}</Submit>
      </form>
      <p>
        <a href={own ?? list}>{words.cancel}</a>
      </p>
    </Page>
  )
}

const Variables: FC<{ frame: Frame; typed: Typed }> = ({ frame, typed: { form } }) => {
  const words = configurationTexts(frame)
  return (
    <fieldset>
      <legend>{words.variables}</legend>
      <p class="soft">{words.variablesHint}</p>
      <div class="scrolls" tabindex={0}>
        <table>
          <Headings of={[words.place, words.component, words.variable, words.attribute, words.value]} />
          <tbody>
            {withEmpty(variableRows(form), EMPTY_FIELDS.variable).map((row, at) => {
              const label = (title: string): string => `${title}, ${words.row(at + 1)}`
              return (
                <tr>
                  <td>
                    <input name="place" value={row.place} aria-label={label(words.place)} size={4} />
                  </td>
                  <td>
                    <input name="component" value={row.component} aria-label={label(words.component)} />
                  </td>
                  <td>
                    <input name="variable" value={row.variable} aria-label={label(words.variable)} />
                  </td>
                  <td>
                    <select name="attribute" aria-label={label(words.attribute)}>
                      {ATTRIBUTES.map((one) => (
                        <option value={one} selected={one === row.attribute}>
                          {one}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td>
                    <input name="value" value={row.value} autocomplete="off" aria-label={label(words.value)} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </fieldset>
  )
}

const Keys: FC<{ frame: Frame; typed: Typed }> = ({ frame, typed: { form } }) => {
  const words = configurationTexts(frame)
  return (
    <fieldset>
      <legend>{words.keys16}</legend>
      <table>
        <Headings of={[words.key, words.value]} />
        <tbody>
          {withEmpty(keyRows(form), EMPTY_FIELDS.key).map((row, at) => (
            <tr>
              <td>
                <input name="key" value={row.key} aria-label={`${words.key}, ${words.row(at + 1)}`} />
              </td>
              <td>
                <input
                  name="keyValue"
                  value={row.keyValue}
                  autocomplete="off"
                  aria-label={`${words.value}, ${words.row(at + 1)}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  )
}

import type { FC } from 'hono/jsx'
import type { Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Form } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { Table } from '../kit/table.tsx'
import { selectorFields, windowFields } from '../selector/choosing.tsx'
import type { Visit } from '../visit.tsx'
import { EMPTY_FIELDS, type KeyRow, keyRows, type VariableRow, variableRows, withEmpty } from './form.ts'
import { configurationTexts } from './texts.ts'

const ATTRIBUTES = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const

/** A configuration is made or changed: a form that counts whom it means, and grows by rows. */
export const ConfigurationFormPage: FC<{
  visit: Visit
  action: string
  /** Of the one that is changed. */
  name: string | undefined
  typed: Typed
  selected: readonly string[] | undefined
  timeZone: string
}> = ({ visit, action, name, typed, selected, timeZone }) => {
  const { frame } = visit
  const words = configurationTexts(frame)
  const list = `${frame.root}/configurations`
  const own = name === undefined ? undefined : `${list}/${encodeURIComponent(name)}`
  const trial = own ? `${own}/try` : `${frame.root}/new-configuration/try`
  return (
    <Page frame={frame} title={name ?? words.make} wide>
      <h1>{name === undefined ? words.make : <bdi>{name}</bdi>}</h1>
      <Form
        visit={visit}
        action={action}
        to={own ? `${own}/edit` : `${frame.root}/new-configuration`}
        typed={typed}
        refused={words.notSaved}
        once
        fields={[
          name === undefined && { name: 'name', label: words.name, hint: words.nameHint, required: true },
          selectorFields(frame, typed, trial, selected),
          { fields: [], more: <Variables frame={frame} typed={typed} /> },
          { fields: [], more: <Keys frame={frame} typed={typed} /> },
          {
            fields: [],
            hint: words.secretHint,
            more: (
              <p>
                <button type="submit" formaction={trial} formnovalidate>
                  {words.more}
                </button>
              </p>
            ),
          },
          { name: 'rebootPolicy', label: words.reboot, value: 'never', options: words.policies },
          windowFields(frame, timeZone),
          { name: 'priority', label: words.priority, value: '0', hint: words.priorityHint, inputmode: 'numeric' },
        ]}
        submit={words.save}
      />
      <Way to={own ?? list} text={words.cancel} />
    </Page>
  )
}

const Variables: FC<{ frame: Frame; typed: Typed }> = ({ frame, typed: { form } }) => {
  const words = configurationTexts(frame)
  const column = (name: 'place' | 'component' | 'variable' | 'value') => ({
    title: words[name],
    cell: ({ row, at }: Numbered<VariableRow>) => (
      <input
        name={name}
        value={row[name]}
        autocomplete="off"
        aria-label={`${words[name]}, ${words.row(at)}`}
        size={name === 'place' ? 4 : undefined}
      />
    ),
  })
  return (
    <fieldset>
      <legend>{words.variables}</legend>
      <p class="soft">{words.variablesHint}</p>
      <div class="scrolls" tabindex={0}>
        <Table
          plain
          rows={numbered(withEmpty(variableRows(form), EMPTY_FIELDS.variable))}
          columns={[
            column('place'),
            column('component'),
            column('variable'),
            {
              title: words.attribute,
              cell: ({ row, at }) => (
                <select name="attribute" aria-label={`${words.attribute}, ${words.row(at)}`}>
                  {ATTRIBUTES.map((one) => (
                    <option value={one} selected={one === row.attribute}>
                      {one}
                    </option>
                  ))}
                </select>
              ),
            },
            column('value'),
          ]}
        />
      </div>
    </fieldset>
  )
}

const Keys: FC<{ frame: Frame; typed: Typed }> = ({ frame, typed: { form } }) => {
  const words = configurationTexts(frame)
  const column = (name: 'key' | 'keyValue', title: string) => ({
    title,
    cell: ({ row, at }: Numbered<KeyRow>) => (
      <input name={name} value={row[name]} autocomplete="off" aria-label={`${title}, ${words.row(at)}`} />
    ),
  })
  return (
    <fieldset>
      <legend>{words.keys16}</legend>
      <Table
        plain
        rows={numbered(withEmpty(keyRows(form), EMPTY_FIELDS.key))}
        columns={[column('key', words.key), column('keyValue', words.value)]}
      />
    </fieldset>
  )
}

interface Numbered<Row> {
  readonly row: Row
  /** From 1. */
  readonly at: number
}

function numbered<Row>(rows: readonly Row[]): readonly Numbered<Row>[] {
  return rows.map((row, index) => ({ row, at: index + 1 }))
}

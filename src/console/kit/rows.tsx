import type { FC, PropsWithChildren } from 'hono/jsx'
import { type Frame, type OptionPair, Page, type Typed } from '../../web/entries.tsx'
import { Table } from '../../web/parts/table.tsx'
import type { Visit } from '../visit.tsx'
import { sharedWords } from './parts.tsx'

export interface RowField<Name extends string = string> {
  readonly name: Name
  readonly label: (frame: Frame) => string
  readonly options?: ((frame: Frame) => readonly OptionPair[]) | undefined
  readonly usual?: string | undefined
  readonly size?: number | undefined
}

export type Row<Name extends string> = Readonly<Record<Name, string>>

const EMPTY_ROWS = 3
const MAX_ROWS = 500

export function filledRows<Name extends string>(
  form: URLSearchParams,
  fields: readonly RowField<Name>[],
): readonly Row<Name>[] {
  const columns = fields.map(({ name }) => form.getAll(name).slice(0, MAX_ROWS + 1))
  const count = Math.max(...columns.map((values) => values.length))
  const rows = Array.from({ length: count }, (_, at) => rowOf(fields, (_field, column) => columns[column]?.[at] ?? ''))
  return rows.filter((row) => fields.some(({ name, options }) => !options && row[name].trim() !== ''))
}

function rowOf<Name extends string>(
  fields: readonly RowField<Name>[],
  value: (field: RowField<Name>, column: number) => string,
): Row<Name> {
  return Object.fromEntries(fields.map((field, column) => [field.name, value(field, column)])) as Row<Name>
}

interface RowsProps<Name extends string> {
  readonly frame: Frame
  readonly typed: Typed
  readonly title: string
  readonly hint?: string | undefined
  readonly fields: readonly RowField<Name>[]
  readonly more?: string | undefined
}

export function Rows<Name extends string>({ frame, typed, title, hint, fields, more }: RowsProps<Name>) {
  const words = sharedWords(frame)
  const empty = rowOf(fields, ({ usual = '' }) => usual)
  const rows = [...filledRows(typed.form, fields), ...Array.from({ length: EMPTY_ROWS }, () => empty)]
  return (
    <fieldset>
      <legend>{title}</legend>
      {hint !== undefined && <p class="soft">{hint}</p>}
      <div class="scrolls" tabindex={0}>
        <Table
          plain
          rows={rows.map((row, index) => ({ row, at: index + 1 }))}
          columns={fields.map((field) => ({
            title: field.label(frame),
            cell: ({ row, at }) => (
              <RowEntry
                frame={frame}
                field={field}
                value={row[field.name]}
                label={`${field.label(frame)}, ${words.row(at)}`}
              />
            ),
          }))}
        />
      </div>
      {more !== undefined && (
        <p>
          <button type="submit" formaction={more} formnovalidate>
            {words.moreRows}
          </button>
        </p>
      )}
    </fieldset>
  )
}

type RowEntryProps = { frame: Frame; field: RowField; value: string; label: string }

const RowEntry: FC<RowEntryProps> = ({ frame, field: { name, options, size }, value, label }) =>
  options ? (
    <select name={name} aria-label={label}>
      {options(frame).map(([one, text]) => (
        <option value={one} selected={one === value}>
          {text}
        </option>
      ))}
    </select>
  ) : (
    <input name={name} value={value} autocomplete="off" aria-label={label} size={size} />
  )

/** The question before what cannot be taken back, or ends what others rely on (CONSOLE-A19). */
interface ConfirmProps {
  readonly visit: Visit
  readonly title: string
  readonly name?: string | undefined
  readonly lead: string
  readonly to: string
  /** The form as sent, its token included. */
  readonly sent: Iterable<readonly [name: string, value: string]>
  readonly button: string
  readonly back: string
  readonly says?: { readonly name: string; readonly value: string } | undefined
  readonly harmless?: boolean | undefined
}

export const ConfirmPage: FC<PropsWithChildren<ConfirmProps>> = ({ visit: { frame }, children, ...ask }) => (
  <Page frame={frame} title={ask.title} narrow>
    <form class="card" method="post" action={ask.to}>
      <h1>{ask.title}</h1>
      {[...ask.sent].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {ask.name !== undefined && (
        <p>
          <bdi class="host">{ask.name}</bdi>
        </p>
      )}
      <p>{ask.lead}</p>
      {children}
      <div class="actions">
        <button class={ask.harmless ? 'main' : 'danger'} type="submit" {...ask.says}>
          <bdi>{ask.button}</bdi>
        </button>
        <a href={ask.back}>{sharedWords(frame).cancel}</a>
      </div>
    </form>
  </Page>
)

/** Locations as CSV: a row for each connector; what stands above it is repeated, or left empty (LOCATION-A6). */
import { csvField, unguarded } from '../../domain/message-log/csv.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { csvRows, separatorOf } from '../id-tokens/import.ts'
import { type FoundLocation, partsOf } from './read-file.ts'
import type { requestOf } from './show.ts'

type Level = 'location' | 'evse' | 'connector'
type Kind = 'text' | 'list' | 'json'

/** `column member? kind?`: the member is the column's name, and a text, unless given. */
const TABLE: Readonly<Record<Level, string>> = {
  location:
    'id,name,address,city,postalCode,state,country,latitude coordinates.latitude json,longitude coordinates.longitude json,timeZone,publish publish json,operatorName operator.name,operatorWebsite operator.website,suboperatorName suboperator.name,suboperatorWebsite suboperator.website,ownerName owner.name,ownerWebsite owner.website,helpPhone,facilities facilities list,parkingType,accessibility,chargingWhenClosed chargingWhenClosed json,openingTimes openingTimes json,directions directions json,parkingPlaces parkingPlaces json,energyMix energyMix json',
  evse: 'uid,evseId,evseControllerId,ocppEvseId ocppEvseId json,floorLevel,physicalReference,evseLatitude coordinates.latitude json,evseLongitude coordinates.longitude json,evseDirections directions json,parkingRestrictions parkingRestrictions list,capabilities capabilities list,parking parking json,acceptedServiceProviders acceptedServiceProviders json',
  connector:
    'connectorId,standard,format,powerType,maxVoltage maxVoltage json,maxAmperage maxAmperage json,maxElectricPower maxElectricPower json,connectorCapabilities capabilities list,tariffIds tariffIds list,termsAndConditions',
}

interface Column {
  readonly name: string
  readonly level: Level
  readonly path: readonly string[]
  readonly kind: Kind
}

const COLUMNS = Object.entries(TABLE).flatMap(([level, columns]) =>
  columns.split(',').map((text): Column => {
    const [name = '', member = name, kind = 'text'] = text.split(' ')
    return { name, level: level as Level, path: member.split('.'), kind: kind as Kind }
  }),
)
const BY_NAME: ReadonlyMap<string, Column> = new Map(COLUMNS.map((column) => [column.name, column]))
const SEPARATOR = '|'
/** 500 EVSEs with 100 connectors. */
const MAX_ROWS = 50_000

export const CSV_HEADER = `${COLUMNS.map(({ name }) => name).join(',')}\r\n`

type Members = Record<string, unknown>

export function csvLines(location: ReturnType<typeof requestOf> & { readonly id: string }): string {
  const rows = location.evses.flatMap((evse) => evse.connectors.map((connector) => ({ location, evse, connector })))
  return (rows.length > 0 ? rows : [{ location, evse: {}, connector: {} }])
    .map((row) => `${COLUMNS.map((column) => cellOf(row[column.level] as Members, column)).join(',')}\r\n`)
    .join('')
}

function cellOf(of: Members, { path, kind }: Column): string {
  const value = path.reduce<unknown>((inner, name) => (inner as Members | undefined)?.[name], of)
  if (value === undefined) return ''
  if (kind === 'list') return csvField((value as readonly string[]).join(SEPARATOR))
  if (kind === 'json') return csvField(JSON.stringify(value))
  // One that looks guarded by itself loses no quote when it is read.
  return csvField(unguarded(value as string) === value ? value : `'${value}`)
}

interface Row {
  readonly line: number
  readonly cells: Readonly<Record<Level, Members>>
  readonly faults: readonly Fault[]
}

/** Rows of one id that follow each other are a location. */
export async function* csvLocations(pieces: AsyncIterable<string>): AsyncGenerator<FoundLocation> {
  let group: Row[] = []
  let columns: readonly string[] | undefined
  let separator: ',' | ';' | undefined
  let isQuoted = false
  let line = 1
  const isRowEnd = (character: string): boolean => {
    if (character === '"') isQuoted = !isQuoted
    return character === '\n' && !isQuoted
  }
  for await (const parts of partsOf(pieces, isRowEnd)) {
    const text = parts.join('')
    separator ??= separatorOf(text, 0)
    const { rows, open } = csvRows(text, separator)
    if (open !== undefined) yield { faults: [fault(line + open - 1, 'a quote is never closed')] }
    for (const { line: within, fields } of rows) {
      if (!columns) {
        columns = fields.map((name) => name.trim())
        const faults = headerFaults(columns)
        if (faults.length > 0) return yield { faults }
        continue
      }
      const row = rowOf(line + within - 1, columns, fields)
      if (group[0] && group[0].cells.location.id !== row.cells.location.id) {
        yield locationOf(group)
        group = []
      }
      group.push(row)
      if (group.length > MAX_ROWS)
        return yield { faults: [fault(row.line, `is one of over ${MAX_ROWS} of a location`)] }
    }
    line += text.split('\n').length - 1
  }
  if (group.length > 0) yield locationOf(group)
}

function headerFaults(columns: readonly string[]): readonly Fault[] {
  return [
    ...columns.filter((name) => !BY_NAME.has(name)).map((name) => `there is no column ${JSON.stringify(name)}`),
    ...['id', 'connectorId'].filter((name) => !columns.includes(name)).map((name) => `the column ${name} is missing`),
  ].map((message) => fault(1, message))
}

function fault(line: number, message: string): Fault {
  return { pointer: `/csv/${line}`, code: 'invalid_value', message }
}

function rowOf(line: number, columns: readonly string[], fields: readonly string[]): Row {
  const cells: Record<Level, Members> = { location: {}, evse: {}, connector: {} }
  const faults =
    fields.length > columns.length ? [fault(line, `has ${fields.length} fields, not ${columns.length}`)] : []
  for (const [at, field] of fields.entries()) {
    const column = BY_NAME.get(columns[at] ?? '')
    const text = unguarded(field)
    if (!column || text === '') continue
    const value = readCell(text, column.kind)
    if (value === undefined) faults.push(fault(line, `${column.name} must be a number, true, false, or JSON`))
    else put(cells[column.level], column.path, value)
  }
  return { line, cells, faults }
}

function readCell(text: string, kind: Kind): unknown {
  if (kind === 'text') return text
  if (kind === 'list') return text.split(SEPARATOR)
  try {
    const value: unknown = JSON.parse(text)
    // Fails for what is nested too deeply.
    return JSON.stringify(value) && value
  } catch {
    return undefined
  }
}

function put(into: Members, [outer = '', inner]: readonly string[], value: unknown): void {
  into[outer] = inner === undefined ? value : { ...(into[outer] as Members | undefined), [inner]: value }
}

function locationOf(rows: readonly Row[]): FoundLocation {
  const [first] = rows as readonly [Row]
  const faults = rows.flatMap((row) => row.faults)
  const evses: (Members & { connectors: Members[] })[] = []
  let before = ''
  for (const { line, cells } of rows) {
    const own = Object.entries(cells.location)
    const other = own.find(([name, value]) => JSON.stringify(value) !== JSON.stringify(first.cells.location[name]))
    if (other) faults.push(fault(line, `${other[0]} is another one than in line ${first.line}`))
    const evse = JSON.stringify(cells.evse)
    if (evse !== '{}' && evse !== before) evses.push({ ...cells.evse, connectors: [] })
    if (evse !== '{}') before = evse
    if (Object.keys(cells.connector).length === 0) continue
    if (evses.length === 0) evses.push({ connectors: [] })
    evses.at(-1)?.connectors.push(cells.connector)
  }
  const { id, ...facts } = first.cells.location
  return faults.length > 0 ? { faults } : { at: `/csv/${first.line}`, id, body: { ...facts, evses } }
}

import type { ChargePointOrder, LabelOrder } from '../../domain/ports/storage-queries.ts'
import { labelFault } from '../../application/charge-points/labels.ts'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import type { Column } from '../../web/parts/table.tsx'
import { TextLink } from '../../web/parts/table.tsx'
import { Ago, Since } from '../../web/times.tsx'
import { chargePointTexts } from '../kit/texts.ts'
import { chargePointPath, sitePath } from '../paths.ts'
import { StationChip } from '../station-state/state-chip.tsx'
import { stationState } from '../station-state/station-state.ts'
import type { ShownChargePoint } from './shown-charge-point.ts'

export const COLUMNS = [
  'id',
  'name',
  'site',
  'state',
  'since',
  'power',
  'stateOfCharge',
  'model',
  'firmware',
  'serialNumber',
  'protocol',
  'profile',
  'labels',
  'lastSeen',
] as const

type ColumnName = (typeof COLUMNS)[number]

export type ListColumn = ColumnName | LabelOrder

/** No window has room for more. */
const MAX_LABEL_COLUMNS = 8
const BY_LABEL = 'label:'

export const USUAL: readonly ColumnName[] = [
  ...(['id', 'name', 'state', 'since', 'power', 'stateOfCharge', 'model', 'firmware', 'lastSeen'] as const),
]

export function chosenColumns(kept: unknown): readonly ListColumn[] {
  if (!Array.isArray(kept)) return USUAL
  const labels = [...new Set(kept)].filter(isLabelColumn).slice(0, MAX_LABEL_COLUMNS)
  return [...COLUMNS.filter((name) => name === 'id' || kept.includes(name)), ...labels]
}

export function isLabelColumn(name: unknown): name is LabelOrder {
  return typeof name === 'string' && name.startsWith(BY_LABEL) && labelFault(keyOf(name), '') === undefined
}

function keyOf(name: string): string {
  return name.slice(BY_LABEL.length)
}

export function labelColumns(
  shown: readonly ShownChargePoint[],
  chosen: readonly ListColumn[],
): readonly (readonly [name: LabelOrder, key: string])[] {
  const seen = shown.flatMap(({ view: { labels = {} } }) => Object.keys(labels)).filter((key) => key !== 'site')
  const keys = new Set([...chosen.filter(isLabelColumn).map(keyOf), ...seen])
  return [...keys].sort().map((key) => [`${BY_LABEL}${key}`, key])
}

type Shown = Column<ShownChargePoint>

const modelOf = ({ view: { status } }: ShownChargePoint): string =>
  [status.vendor, status.model].filter((part) => part !== undefined).join(' ')

const labelsOf = ({ view: { labels = {} } }: ShownChargePoint): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}: ${value}`)
    .join(' · ')

export function columnNames(frame: Frame): Readonly<Record<ColumnName, string>> {
  const words = chargePointTexts(frame)
  return {
    id: words.stationTitle,
    name: words.name,
    site: words.site,
    state: words.state,
    since: words.sinceTitle,
    power: words.kilowatts,
    stateOfCharge: words.stateOfCharge,
    model: words.model,
    firmware: words.firmware,
    serialNumber: words.serialNumber,
    protocol: words.protocol,
    profile: words.profile,
    labels: words.labels,
    lastSeen: words.lastSeen,
  }
}

const ORDERS: Readonly<Partial<Record<ColumnName, ChargePointOrder>>> = {
  id: 'id',
  name: 'name',
  site: 'site',
  state: 'state',
  since: 'since',
  power: 'power',
  model: 'model',
  firmware: 'firmwareVersion',
  serialNumber: 'serialNumber',
  protocol: 'protocol',
  profile: 'securityProfile',
  lastSeen: 'lastSeenAt',
}

/** @param sorted of those columns that a list can be sorted by */
export function columnsOf(
  frame: Frame,
  chosen: readonly ListColumn[],
  sorted: (by: ChargePointOrder) => Shown['sort'],
): readonly Shown[] {
  const names = columnNames(frame)
  const percent = (value: number | undefined) => value !== undefined && `${shownFigure(frame, value)} %`
  const all: Readonly<Record<ColumnName, Omit<Shown, 'title'>>> = {
    id: {
      kind: 'name',
      width: 120,
      whole: ({ view }) => view.id,
      cell: ({ view: { id } }) => <TextLink class="name-link" to={chargePointPath(frame, id)} text={id} />,
    },
    name: {
      wideOnly: true,
      text: ({ view }) => view.name,
      whole: ({ view }) => view.name,
    },
    site: {
      wideOnly: true,
      whole: ({ view }) => view.labels?.site,
      cell: ({ view: { labels: { site = '' } = {} } }) =>
        site !== '' && <TextLink to={sitePath(frame, site)} text={site} />,
    },
    state: {
      width: 200,
      cell: (one) => <StationChip frame={frame} seen={stationState(one)} />,
      whole: (one) => reportedOf(one),
    },
    since: {
      kind: 'number',
      width: 104,
      narrow: false,
      cell: (one) => {
        const { since } = stationState(one)
        return since !== undefined && <Since frame={frame} at={since} />
      },
    },
    power: {
      kind: 'number',
      width: 60,
      cell: ({ powerKw }) => powerKw !== undefined && shownFigure(frame, powerKw, 1),
    },
    stateOfCharge: { kind: 'number', width: 60, wideOnly: true, cell: ({ stateOfCharge }) => percent(stateOfCharge) },
    model: { width: 160, wideOnly: true, text: modelOf, whole: modelOf },
    firmware: {
      width: 104,
      roomy: true,
      whole: ({ view }) => view.status.firmwareVersion,
      text: ({ view }) => view.status.firmwareVersion,
    },
    serialNumber: {
      width: 136,
      roomy: true,
      whole: ({ view }) => view.status.serialNumber,
      text: ({ view }) => view.status.serialNumber,
    },
    protocol: { width: 88, roomy: true, text: ({ view, live }) => live?.protocol ?? view.status.protocol },
    profile: { kind: 'number', width: 72, roomy: true, cell: ({ view }) => view.securityProfile },
    labels: { wideOnly: true, text: labelsOf, whole: labelsOf },
    lastSeen: {
      kind: 'number',
      width: 120,
      roomy: true,
      cell: ({ view, live }) => {
        const at = live?.lastSeenAt ?? view.status.lastSeenAt
        return at === undefined ? frame.texts.never : <Ago frame={frame} at={at} />
      },
    },
  }
  const usual = COLUMNS.filter((name) => chosen.includes(name)).map((name): Shown => {
    const order = ORDERS[name]
    return { ...all[name], title: names[name], sort: order && sorted(order) }
  })
  return [
    ...usual,
    ...chosen.filter(isLabelColumn).map((name) => ({ ...labelColumn(keyOf(name)), sort: sorted(name) })),
  ]
}

function labelColumn(key: string): Shown {
  const labelOf = ({ view: { labels = {} } }: ShownChargePoint) =>
    Object.hasOwn(labels, key) ? labels[key] : undefined
  return { title: key, wideOnly: true, text: labelOf, whole: labelOf }
}

function reportedOf({ view: { connectors } }: ShownChargePoint): string {
  return connectors
    .map(({ evseId, connectorId, status, errorCode, vendorErrorCode, info }) =>
      [
        `${evseId === undefined ? '' : `${evseId}/`}${connectorId}: ${status}`,
        ...(errorCode === undefined || errorCode === 'NoError' ? [] : [errorCode]),
        ...[vendorErrorCode, info].filter((part) => part !== undefined),
      ].join(' '),
    )
    .join(', ')
}

import { labelFault } from '../../application/charge-points/register.ts'
import type { ChargePointOrder, LabelOrder } from '../../domain/ports/storage-queries.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Column, TextLink } from '../../web/parts/table.tsx'
import { Ago, Since } from '../../web/times.tsx'
import { cutOff, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, sitePath } from '../paths.ts'
import { StationChip, stationState } from '../station-state/station-state.tsx'
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

interface Declared extends Omit<Shown, 'sort'> {
  readonly title: string
  /** Absent: a list cannot be sorted by it. */
  readonly order?: ChargePointOrder
}

export function declaredColumns(frame: Frame): Readonly<Record<ColumnName, Declared>> {
  const words = wordsIn('chargePoints', frame)
  return {
    id: {
      title: words.stationTitle,
      order: 'id',
      kind: 'name',
      width: 120,
      whole: ({ view }) => view.id,
      cell: ({ view: { id } }) => <TextLink class="name-link" to={chargePointPath(frame, id)} text={id} />,
    },
    name: { ...cutOff(words.name, ({ view }) => view.name, { wideOnly: true }), order: 'name' },
    site: {
      title: words.site,
      order: 'site',
      wideOnly: true,
      whole: ({ view }) => view.labels?.site,
      cell: ({ view: { labels: { site = '' } = {} } }) =>
        site !== '' && <TextLink to={sitePath(frame, site)} text={site} />,
    },
    state: {
      title: words.state,
      order: 'state',
      width: 200,
      cell: (one) => <StationChip frame={frame} seen={stationState(one)} />,
      whole: (one) => reportedOf(one),
    },
    since: {
      title: words.sinceTitle,
      order: 'since',
      kind: 'number',
      width: 104,
      narrow: false,
      cell: (one) => {
        const { since } = stationState(one)
        return since !== undefined && <Since frame={frame} at={since} />
      },
    },
    power: {
      title: words.kilowatts,
      order: 'power',
      kind: 'number',
      width: 60,
      cell: ({ powerKw }) => powerKw !== undefined && shownFigure(frame, powerKw, 1),
    },
    stateOfCharge: {
      title: words.stateOfCharge,
      kind: 'number',
      width: 60,
      wideOnly: true,
      cell: ({ stateOfCharge }) => stateOfCharge !== undefined && `${shownFigure(frame, stateOfCharge)} %`,
    },
    model: { ...cutOff(words.model, modelOf, { width: 160, wideOnly: true }), order: 'model' },
    firmware: {
      ...cutOff(words.firmware, ({ view }) => view.status.firmwareVersion, { width: 104, roomy: true }),
      order: 'firmwareVersion',
    },
    serialNumber: {
      ...cutOff(words.serialNumber, ({ view }) => view.status.serialNumber, { width: 136, roomy: true }),
      order: 'serialNumber',
    },
    protocol: {
      title: words.protocol,
      order: 'protocol',
      width: 88,
      roomy: true,
      text: ({ view, live }) => live?.protocol ?? view.status.protocol,
    },
    profile: {
      title: words.profile,
      order: 'securityProfile',
      kind: 'number',
      width: 72,
      roomy: true,
      cell: ({ view }) => view.securityProfile,
    },
    labels: cutOff(words.labels, labelsOf, { wideOnly: true }),
    lastSeen: {
      title: words.lastSeen,
      order: 'lastSeenAt',
      kind: 'number',
      width: 120,
      roomy: true,
      cell: ({ view, live }) => {
        const at = live?.lastSeenAt ?? view.status.lastSeenAt
        return at === undefined ? frame.texts.never : <Ago frame={frame} at={at} />
      },
    },
  }
}

/** @param sorted of those columns that a list can be sorted by */
export function columnsOf(
  frame: Frame,
  chosen: readonly ListColumn[],
  sorted: (by: ChargePointOrder) => Shown['sort'],
): readonly Shown[] {
  const declared = declaredColumns(frame)
  const usual = COLUMNS.filter((name) => chosen.includes(name)).map((name): Shown => {
    const { order, ...column } = declared[name]
    return { ...column, sort: order && sorted(order) }
  })
  return [
    ...usual,
    ...chosen.filter(isLabelColumn).map((name) => ({ ...labelColumn(keyOf(name)), sort: sorted(name) })),
  ]
}

function labelColumn(key: string): Shown {
  const labelOf = ({ view: { labels = {} } }: ShownChargePoint) =>
    Object.hasOwn(labels, key) ? labels[key] : undefined
  return cutOff(key, labelOf, { wideOnly: true })
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

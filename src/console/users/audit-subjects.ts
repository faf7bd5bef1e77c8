import type { BulkRowState } from '../../domain/bulk-orders/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import type { Frame } from '../../web/layout.tsx'
import { bulkTexts } from '../kit/texts.ts'

type Finder = Pick<Reads, 'findUser' | 'findSubscription' | 'findClient' | 'getRecord'>

interface Named {
  readonly kinds: RegExp
  find(reads: Finder, accountId: string, id: string): Promise<string | undefined>
}

const NAMED: readonly Named[] = [
  {
    kinds: /^(users(\/|$)|\w+User$)/,
    find: async (reads, accountId, id) => {
      const user = await reads.findUser(id)
      return user?.accountId === accountId ? user.email : undefined
    },
  },
  {
    kinds: /^(alerts\/rules|\w+AlertRule$)/,
    find: async (reads, accountId, id) => (await reads.getRecord('alert_rules', { accountId, id }))?.name,
  },
  {
    kinds: /^(webhooks\/|\w+Webhook(Secret)?$|replayDeliveries$)/,
    find: async (reads, accountId, id) => {
      const webhook = await reads.findSubscription(id)
      return webhook?.accountId === accountId ? webhook.url : undefined
    },
  },
  {
    kinds: /^(firmware-campaigns|\w+FirmwareCampaign$|new-firmware-campaign)/,
    find: async (reads, accountId, id) =>
      (await reads.getRecord('firmware_campaigns', { accountId, id }))?.target.version,
  },
]

export async function subjectsOf(
  reads: Finder,
  accountId: string,
  frame: Pick<Frame, 'language'>,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<number, string>> {
  const asked = new Map<string, Promise<string | undefined>>()
  const nameOf = ({ kind, subject, clientId }: AuditRow): Promise<string | undefined> | undefined => {
    const named = NAMED.find(({ kinds }) => kinds.test(kind))
    const id = named ? subject : subject === undefined ? clientId : undefined
    if (id === undefined) return undefined
    const find = async () => (named ? named.find(reads, accountId, id) : (await reads.findClient(id))?.name)
    const known = asked.get(id) ?? find()
    asked.set(id, known)
    return known
  }
  const found = rows.map(async (row): Promise<readonly [number, string | undefined]> => {
    const name = await nameOf(row)
    const { kind, subject } = row
    return [row.id, name ?? (subject !== undefined && ORDERING.test(kind) ? orderIn(frame, subject) : subject)]
  })
  return new Map((await Promise.all(found)).flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])))
}

const ORDERING =
  /^(sendCommand|createBulkOrder|new-bulk-order|st(art|op)Session|charge-points\/(orders|command|start|stop))$/

const ORDERS: Readonly<Record<string, string>> = {
  Start: 'Start',
  Stop: 'Stopp',
  Unlock: 'Entriegeln',
  Available: 'In Betrieb nehmen',
  Unavailable: 'Außer Betrieb nehmen',
  Labels: 'Labels',
  Log: 'Protokoll',
  Configuration: 'Konfiguration',
}
const DETAILS: Readonly<Record<string, string>> = { hard: 'hart', soft: 'sanft' }

/** @example orderIn(german, 'Reset (hard) of LOG-0020: Accepted') === 'Reset (hart) von LOG-0020: Accepted' */
export function orderIn(frame: Pick<Frame, 'language'>, subject: string): string {
  const { order, detail = '', of = '', end = '' } = ORDER.exec(subject)?.groups ?? {}
  if (frame.language !== 'de' || order === undefined) return subject
  const words = bulkTexts(frame)
  const details = detail
    .replaceAll(/connector (?=\d)/g, 'Anschluss ')
    .replace(/hard|soft/, (one) => DETAILS[one] ?? one)
  const about = of.replace(
    /^(\d+) charge points?$/,
    (_, count) => `${count} ${count === '1' ? 'Ladestation' : 'Ladestationen'}`,
  )
  const counts = end.replaceAll(/(?<=\d )[a-z]+/g, (state) => words.states[state as BulkRowState] ?? state)
  return `${ORDERS[order] ?? order}${details} von ${about.replace(/^session /, 'Ladevorgang ')}${counts}`
}

const ORDER = /^(?<order>[A-Za-z]+)(?<detail> \([^)]*\))? of (?<of>.+?)(?<end>: .*)?$/

/** The kind of each operation: a missing read does not compile, nor a write that names registrations. */
import type { LogReads, Reads, Turn, Writes } from '../domain/ports/storage.ts'
import { declarationOf, isPlacedLater, type RecordChange, type RecordKind } from '../domain/records/records.ts'
import type { Line } from '../threads/turns.ts'

/**
 * `at once`: it reads what every commit writes. `in place`: it reads documents and the log's search, which an engine
 * may bring up to date a moment after the commit. `in place, first page`: likewise, and its later pages are below
 * everything committed since its first one.
 */
export type Looks = 'at once' | 'in place' | 'in place, first page'

interface ReadKind<Args extends readonly unknown[]> {
  readonly looks: Looks | ((...args: Args) => Looks)
  /** For reads in place: the charge point concerned; only its changes are waited for. */
  readonly about?: (...args: Args) => string
  /**
   * Queueing (SEARCH-Q12). `none`: a look-up. `asks for a turn`: a query of the log, see `LogInTurns`. A list is as
   * long as an account is large, so those with the same key wait for each other and not for others.
   */
  readonly waits: 'none' | 'asks for a turn' | ((...args: Args) => string)
}

const LOOK_UP = { looks: 'at once', waits: 'none' } as const
const LOOK_UP_IN_PLACE = { looks: 'in place', waits: 'none' } as const
const LOOK_UP_ABOUT_ONE = { ...LOOK_UP_IN_PLACE, about: (chargePointId: string) => chargePointId } as const
const aboutIts = ({ chargePointId }: { readonly chargePointId: string }): string => chargePointId
const LOG_QUERY = { looks: 'in place', about: aboutIts, waits: 'asks for a turn' } as const
const LOG_PAGE = { looks: 'in place, first page', about: aboutIts, waits: 'asks for a turn' } as const

const ofRecords = (kind: RecordKind): Looks => (isPlacedLater(kind) ? 'in place' : 'at once')
const ofAccount = (accountId: string): string => accountId
const ofQuery = ({ accountId }: { readonly accountId: string }): string => accountId

/** The hot port's reads. All of them scan the log, so all ask for a turn. */
export const HOT_READS: {
  readonly [Name in keyof LogReads]: ReadKind<Parameters<LogReads[Name]>> & { readonly waits: 'asks for a turn' }
} = {
  readLogPage: LOG_PAGE,
  searchCommands: LOG_PAGE,
  searchNetwork: { looks: 'in place, first page', waits: 'asks for a turn' },
  exportCommands: LOG_PAGE,
  countCommands: LOG_QUERY,
  commandMethods: { looks: 'in place', about: (chargePointId) => chargePointId, waits: 'asks for a turn' },
}

export const READS: { readonly [Name in keyof Reads]: ReadKind<Parameters<Reads[Name]>> } = {
  ...HOT_READS,

  listAccounts: LOOK_UP,
  findAccount: LOOK_UP,
  findUserByEmail: LOOK_UP,
  findUser: LOOK_UP,
  listUsers: { looks: 'at once', waits: ofAccount },
  findPasswordLink: LOOK_UP,
  findSecondFactor: LOOK_UP,
  searchAudit: { looks: 'at once', waits: ofQuery },
  findCredential: LOOK_UP,
  listCredentials: { looks: 'at once', waits: ofAccount },
  findChargePoint: LOOK_UP_ABOUT_ONE,
  listChargePoints: { looks: 'in place', waits: ofAccount },
  findChargePoints: { looks: 'in place', waits: ofQuery },
  countChargePoints: { looks: 'in place', waits: ofQuery },
  listLabelled: { looks: 'at once', waits: ofAccount },
  countNetwork: { looks: 'in place', waits: ofAccount },
  countAccount: { looks: 'at once', waits: ofAccount },
  listOfflineSites: { looks: 'in place', waits: ofAccount },
  listSites: { looks: 'in place', waits: ofQuery },
  listFullestMinutes: { looks: 'at once', waits: ofQuery },
  listSitesLike: { looks: 'at once', waits: ofAccount },
  listFaults: { looks: 'in place', waits: ofAccount },
  listFaultGroups: { looks: 'in place', waits: ofAccount },
  listEnergy: { looks: 'in place', waits: ofAccount },
  findIdToken: LOOK_UP,
  listIdTokens: { looks: 'at once', waits: ofAccount },
  findSession: LOOK_UP_IN_PLACE,
  listSessions: { looks: 'in place', waits: ofQuery },
  findSessionsNamed: { looks: 'in place', waits: ofAccount },
  sumSessions: { looks: 'in place', waits: ofQuery },
  findTransactionsOf: LOOK_UP_IN_PLACE,
  listOpenSessions: LOOK_UP_IN_PLACE,
  findCommand: LOOK_UP,
  oldestCommandId: LOOK_UP_ABOUT_ONE,
  newestCommandId: LOOK_UP_ABOUT_ONE,
  greatestCommandId: LOOK_UP,
  countOpenChargePoints: LOOK_UP,
  getRecord: { looks: ofRecords, waits: 'none' },
  listRecords: { looks: ofRecords, waits: (kind, { where }) => JSON.stringify([kind, where]) },
  countRecords: { looks: ofRecords, waits: (kind, { where }) => JSON.stringify([kind, where]) },
  ping: LOOK_UP,

  findClient: LOOK_UP,
  listClients: { looks: 'at once', waits: ofAccount },
  countDynamicClients: LOOK_UP,
  findLoginSession: LOOK_UP,
  listLoginSessions: LOOK_UP,
  findInteraction: LOOK_UP,
  findGrant: LOOK_UP,
  findActiveGrant: LOOK_UP,
  listGrants: { looks: 'at once', waits: ofQuery },
  findAccessToken: LOOK_UP,
  findRefreshToken: LOOK_UP,

  listSubscriptions: { looks: 'at once', waits: ofQuery },
  listGrantSubscriptions: { looks: 'at once', waits: ofQuery },
  findSubscription: LOOK_UP,
  listDeliveries: { looks: 'at once', waits: ({ subscriptionId }) => subscriptionId },
  findDelivery: LOOK_UP,
  deliveryStatistics: LOOK_UP,
  listEvents: { looks: 'in place', waits: ofQuery },
  listSessionEvents: LOOK_UP_IN_PLACE,
  listSettlements: LOOK_UP,
  listTariffs: { looks: 'at once', waits: ofAccount },
  findTariff: LOOK_UP,
}

/** Writes that change accounts, charge points, id tokens or tariffs have them in their names; one names a grant's. */
const OF_REGISTRATIONS = /^(?!selectChargePoints$).*(?:Account|ChargePoint|IdToken|Tariff)/

/** Of these the record's declaration says it. */
const OF_RECORDS: ReadonlySet<keyof Writes> = new Set([
  'putRecords',
  'changeRecords',
  'changeRecordsIf',
  'removeRecords',
])

/** Whether the core must drop its cached registrations. */
export function changesRegistrations(name: keyof Writes, args: readonly unknown[]): boolean {
  if (name === 'recorded') {
    const [, operation, itsArgs] = args as Parameters<Writes['recorded']>
    return changesRegistrations(operation as keyof Writes, itsArgs)
  }
  return OF_REGISTRATIONS.test(name) || (OF_RECORDS.has(name) && kindsOf(args).some(isRegistration))
}

/** Also where the write is recorded for the audit. */
export function changesTariffs(name: keyof Writes, args: readonly unknown[]): boolean {
  return (name === 'recorded' ? String(args[1]) : name).endsWith('Tariff')
}

/** Its records: named by one kind, or by each change. */
function kindsOf([what]: readonly unknown[]): readonly RecordKind[] {
  return Array.isArray(what) ? (what as readonly RecordChange[]).map(({ kind }) => kind) : [what as RecordKind]
}

function isRegistration(kind: RecordKind): boolean {
  return declarationOf(kind).isRegistration
}

// The reader threads' line in which a query waits (SEARCH-Q12).

/** SEARCH-Q10. */
const QUERY_LIMIT_MS = 5000
/** More than an account may send in a minute (API-E2): a caller within its rate is never refused. */
const MAX_QUERIES = 500

/** @param queries the number of the log's queries in it: each has its time */
export function lineOf({ lane, accountId }: Turn, queries: number): Line {
  return { key: `${lane} ${accountId}`, limitMs: queries * QUERY_LIMIT_MS, most: MAX_QUERIES }
}

/** The line of a list; undefined for operations that wait for no other, or only take a turn on request. */
export function lineOfList(name: keyof Reads, args: readonly unknown[]): Line | undefined {
  const { waits } = READS[name]
  return typeof waits === 'function' ? { key: (waits as (...args: readonly unknown[]) => string)(...args) } : undefined
}

/** Ports derived from others, operation by operation. */
type Operation = (...args: readonly unknown[]) => unknown

export function anyOf(port: object, name: string): (...args: readonly unknown[]) => Promise<unknown> {
  return (port as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>)[name] as never
}

export function eachOperation<Port extends object>(
  port: object,
  wrapped: (operation: Operation, name: string) => Operation,
): Port {
  const operations = Object.entries(port as Readonly<Record<string, Operation>>)
  return Object.fromEntries(operations.map(([name, operation]) => [name, wrapped(operation, name)])) as Port
}

/** Translates failures. The work itself still happens before a call returns. */
export function withFailures<Port extends object>(port: Port, failure: (error: unknown) => Error): Port {
  return eachOperation(port, (operation) => (...args) => {
    const result = operation(...args)
    return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(failure(error))) : result
  })
}

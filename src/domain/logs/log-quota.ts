/** FIRMWARE-D5: bytes of logs per account and charge point. An hourly sweep removes the oldest; uploads are counted. */

export interface CountedLog {
  readonly accountId: string
  readonly chargePointId: string
  readonly requestId: number
  readonly bytes: number
  readonly storedAt: number
}

export interface LogQuota {
  /** What an upload may have at most; 0: nothing. */
  room(of: Pick<CountedLog, 'accountId' | 'chargePointId'>): number
  add(log: Pick<CountedLog, 'accountId' | 'chargePointId' | 'bytes'>): void
  /** These are all. @returns those that have to go */
  count(logs: readonly CountedLog[]): readonly CountedLog[]
}

/** One charge point cannot use up what all others have. */
const STATIONS_SHARE = 8
/** After a removal there is room again for a while. */
const KEPT_SHARE = 0.9

/** @param bytes of an account; 0 = no limit */
export function createLogQuota(bytes: number): LogQuota {
  const mostOfAccount = bytes === 0 ? Number.POSITIVE_INFINITY : bytes
  const mostOfStation = mostOfAccount / STATIONS_SHARE
  let accounts = new Map<string, number>()
  let stations = new Map<string, number>()
  const add: LogQuota['add'] = ({ accountId, chargePointId, bytes: size }) => {
    accounts.set(accountId, (accounts.get(accountId) ?? 0) + size)
    stations.set(chargePointId, (stations.get(chargePointId) ?? 0) + size)
  }
  return {
    room: ({ accountId, chargePointId }) =>
      Math.max(
        0,
        Math.min(
          mostOfAccount - (accounts.get(accountId) ?? 0),
          Math.floor(mostOfStation) - (stations.get(chargePointId) ?? 0),
        ),
      ),
    add,
    count(logs) {
      accounts = new Map()
      stations = new Map()
      const leaving: CountedLog[] = []
      for (const log of [...logs].sort((a, b) => b.storedAt - a.storedAt)) {
        const ofAccount = (accounts.get(log.accountId) ?? 0) + log.bytes
        const ofStation = (stations.get(log.chargePointId) ?? 0) + log.bytes
        if (ofAccount > mostOfAccount * KEPT_SHARE || ofStation > mostOfStation * KEPT_SHARE) leaving.push(log)
        else add(log)
      }
      return leaving
    },
  }
}

export function logFile(tokenHash: string): string {
  return `log-${tokenHash}`
}

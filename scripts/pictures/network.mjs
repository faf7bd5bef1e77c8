// The network of the pictures: sites, stations, what is charged there and what fails. The same seed makes the same one.

const SITES = [
  { prefix: 'HARBOUR', site: 'harbour-depot', name: (n) => `Harbour depot, bay ${n}`, count: 14, connectors: 1 },
  {
    prefix: 'MARKET',
    site: 'market-square',
    name: (n) => `Market Square garage, level ${1 + (n % 3)}, no. ${n}`,
    count: 12,
  },
  { prefix: 'A7-NORTH', site: 'a7-north', name: (n) => `A7 services north, charger ${n}`, count: 6, connectors: 1 },
  { prefix: 'CAMPUS', site: 'campus-west', name: (n) => `Campus west, car park C, no. ${n}`, count: 9 },
]
const AC = { vendor: 'Kestrel', model: 'Post 22', firmwareVersion: '3.4.1' }
const TWIN = { vendor: 'Brightline', model: 'Twin 2x22', firmwareVersion: '2024.11' }
const DC = { vendor: 'Kestrel', model: 'Rapid 150', firmwareVersion: '5.0.2' }
/** How many of ten arrivals of a day come in each two hours of it, from midnight on. */
const BUSY = [0.1, 0.05, 0.1, 0.8, 1, 0.9, 0.8, 0.7, 0.9, 0.8, 0.5, 0.2]
const END_HOUR = 14

/** mulberry32, as in simulator/random.ts. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

export const CARDS = Array.from(
  { length: 24 },
  (_, n) => `04${(0xa1b2c3 + n * 0x01f3d7).toString(16).toUpperCase()}5E80`,
)

/** What is wrong, by charge point: hours before the pictures, connector, and what the station says of it. */
const FAULTS = {
  'HARBOUR-04': [2.2, 1, { errorCode: 'GroundFailure', vendorErrorCode: 'E-017', info: 'Residual current on L2' }],
  'MARKET-07': [0.4, 2, { errorCode: 'ConnectorLockFailure', vendorErrorCode: 'LCK-3', info: 'Lock did not close' }],
  'A7-NORTH-5': [5.1, 1, { errorCode: 'HighTemperature', vendorErrorCode: 'T-88', info: 'Cable 91 degrees' }],
}
/** Not heard of any more, hours before the pictures. */
const GONE = { 'HARBOUR-11': 7.4, 'CAMPUS-3': 1.1 }

export function createNetwork(seed) {
  const random = createRandom(seed)
  const pick = (from) => from[Math.floor(random() * from.length)]
  return SITES.flatMap(({ prefix, site, name, count, connectors = 2 }) =>
    Array.from({ length: count }, (_, index) => {
      const id = `${prefix}-${String(index + 1).padStart(count > 9 ? 2 : 1, '0')}`
      const fast = site === 'a7-north'
      const ocpp = site === 'campus-west' ? '2.0.1' : '1.6'
      const gone = GONE[id]
      const fault = FAULTS[id]
      const freeUntil = (connector) => Math.max(gone ?? 0, fault?.[1] === connector ? fault[0] + 0.2 : 0)
      return {
        id,
        name: name(index + 1),
        labels: { site, power: fast ? '150kW' : '22kW' },
        ocpp,
        connectors,
        gone,
        fault,
        vehicle: fast ? 'touring' : 'compact',
        plate: {
          ...(fast ? DC : connectors === 2 ? TWIN : AC),
          serialNumber: `${prefix.slice(0, 2)}-${1040 + index * 7}`,
        },
        charges: Array.from({ length: connectors }, (_, n) =>
          chargesOf({ random, pick, connector: n + 1, fast, endsBefore: freeUntil(n + 1) }),
        ),
      }
    }),
  )
}

/** One after the other through the day, hours before the pictures; the last one may still run. */
function chargesOf({ random, pick, connector, fast, endsBefore }) {
  const charges = []
  let from = 23.4 - random() * 2
  while (from > endsBefore) {
    const hourOfDay = (END_HOUR - from + 48) % 24
    if (random() < BUSY[Math.floor(hourOfDay / 2)] * (fast ? 0.7 : 0.35)) {
      const hours = fast ? 0.3 + random() * 0.4 : 1.2 + random() * 3.5
      const to = Math.max(endsBefore, from - hours)
      charges.push({ connector, from, to, soc: Math.round(8 + random() * 45), card: pick(CARDS) })
      from = to
    }
    from -= fast ? 0.2 + random() * 0.8 : 0.3 + random() * 1.6
  }
  return charges
}

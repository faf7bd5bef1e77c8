/** kill -9 between the end of a session and the partner's 2xx: each CDR arrives once by id (OCPI-A5). */
import { afterAll, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { type Json, spawnHouse, until } from './house.ts'
import { type Asked, customerToken, startProvider } from './roaming-partner.ts'
import { booted16, startOf } from './station.ts'

const port = await freePort()
const house = await spawnHouse({
  PILOTWIRE_PORT: String(port),
  PILOTWIRE_BASE_URL: `http://127.0.0.1:${port}`,
  PILOTWIRE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  PILOTWIRE_WEBHOOK_SCHEDULE: '1,1,1,1,1,1,1,1,1,1',
})
const provider = await startProvider()
provider.receives = ['sessions', 'cdrs']
afterAll(async () => {
  await house.close()
  await provider.close()
})
await house.request('PUT', '/2/ocpi/party', {
  countryCode: 'DE',
  partyId: 'PWR',
  businessDetails: { name: 'Pilotwire' },
})
const { body: partner } = await house.request('POST', '/2/ocpi/partners', { name: 'Elsewhere' })
await provider.register(String(partner.versionsUrl), String(partner.token))
const evse = { uid: 'e1', evseId: 'DE*PWR*E1', evseControllerId: 'CP', ocppEvseId: 1 }
const connector = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }

const remote: Json[] = []
const connect = () =>
  booted16(house.ocppUrl, 'CP', {
    respond: (method, request) => {
      if (method === 'RemoteStartTransaction') remote.push(request as Json)
      return { status: 'Accepted' }
    },
  })
let station = await connect()
const placed = await house.request('PUT', '/2/locations/depot', {
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  evses: [{ ...evse, connectors: [{ ...connector, maxVoltage: 230, maxAmperage: 32 }] }],
})
expect(placed.status).toBe(201)

const isCdr = ({ method, path }: Asked): boolean => method === 'POST' && path.endsWith('/cdrs')
it.each([
  ['when the stop was answered', 'stop'],
  ['when the CDR is on its way and not taken', 'before'],
  ['when the partner has taken it and its 2xx is lost', 'after'],
] as const)('OCPI-A5: killed %s, the server delivers one CDR', async (_, moment) => {
  const reference = `ref-${moment}`
  provider.instead = async (asked) => {
    if (asked.path.startsWith('/results')) return {}
    if (moment === 'stop' || !isCdr(asked)) return undefined
    provider.instead = ({ path }) => (path.startsWith('/results') ? {} : undefined)
    if (moment === 'before') provider.asked.pop()
    await house.kill()
    return 'hang up'
  }
  const begun = remote.length
  await provider.call('POST', provider.at('commands', '/START_SESSION'), {
    response_url: `${provider.root}/results/${moment}`,
    location_id: 'depot',
    evse_uid: 'e1',
    token: customerToken(moment.toUpperCase()),
    authorization_reference: reference,
  })
  await until(() => remote.length > begun)
  const { transactionId } = await station.ask('StartTransaction', startOf({ idTag: String(remote.at(-1)?.idTag) }))
  await station.ask('StopTransaction', { transactionId, meterStop: 9000, timestamp: new Date().toISOString() })
  if (moment === 'stop') await house.kill()
  // The others die while the partner is sent the CDR.
  await station.closed
  await house.startAgain()
  station = await connect()
  const own = () => provider.asked.filter((one) => isCdr(one) && one.body?.authorization_reference === reference)
  await until(() => own().length >= (moment === 'after' ? 2 : 1))
  const pulled = (await provider.call('GET', provider.at('cdrs'))).body.data as readonly Json[]
  const mine = pulled.filter((one) => one.authorization_reference === reference)
  expect(mine).toHaveLength(1)
  expect(new Set(own().map(({ body }) => body?.id))).toEqual(new Set([mine[0]?.id]))
})

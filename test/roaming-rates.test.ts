import { expect, it } from 'vitest'
import { roamingHouse } from './roaming-house.ts'
import { startProvider } from './roaming-partner.ts'

it('API-E2, OCPI-A7: partners have rates of their own, and callers without a valid token one of their address', async () => {
  const { house, invited, exchanges } = await roamingHouse({ PILOTWIRE_RATE_API: '40' })
  const provider = await startProvider()
  const { id } = await invited(provider)
  const limited = async () => {
    for (let calls = 0; calls < 100; calls++) {
      const reply = await provider.call('GET', provider.operator)
      if (reply.status === 429) return reply
    }
    throw new Error('no limit')
  }
  const reply = await limited()
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(reply.body).toMatchObject({ status_code: 2000, status_message: expect.stringContaining('wait') })
  expect((await house.request('GET', '/2/ocpi/party')).status).toBe(200)
  provider.token = 'none'
  expect((await provider.call('GET', provider.operator)).status).toBe(401)
  expect((await limited()).body.status_code).toBe(2000)
  const kept = await exchanges(id)
  expect([kept.length > 3, kept.filter(({ status }) => status === 429)]).toEqual([true, []])
  await provider.close()
})

/** docs/connect-a-roaming-partner.md: its commands, with a provider on this machine in place of the example's. */
import { expect, it } from 'vitest'
import { commandsOf, jsonFor } from './documents.ts'
import { roamingHouse } from './roaming-house.ts'
import { startProvider } from './roaming-partner.ts'

it('OCPI-A1: the page says how to invite a partner, and how to register with one', async () => {
  const { house } = await roamingHouse()
  const provider = await startProvider()
  provider.valid.add('token-a')
  const [party, invite, register = ''] = commandsOf('docs/connect-a-roaming-partner.md')
  expect(await jsonFor(house, party)).toMatchObject({ countryCode: 'DE', partyId: 'PWR' })
  const { token, versionsUrl } = await jsonFor<Record<'token' | 'versionsUrl', string>>(house, invite)
  expect((await provider.register(versionsUrl, token)).body.status_code).toBe(1000)
  const other = await startProvider()
  other.valid.add('token-a')
  const command = register.replace('https://ocpi.example/versions', other.url)
  expect(await jsonFor(house, command)).toMatchObject({ state: 'registered', version: '2.3.0' })
  await provider.close()
  await other.close()
})

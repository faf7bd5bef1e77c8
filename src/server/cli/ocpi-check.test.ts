import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createPartner, type Partner, type PartnerOptions } from '../../../simulator/partner/partner.ts'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'

const installation = testInstallation()
afterAll(() => installation.remove())
const open: Partner[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

async function partnerOf(options: PartnerOptions = {}): Promise<Partner> {
  const partner = await createPartner({ tokens: ['A', 'B', 'C'].map((uid) => ({ uid })), ...options })
  open.push(partner)
  return partner
}

const check = (...args: string[]) => installation.cli(['ocpi', 'check', ...args])
describe('OCPI-B1: ocpi check tries the platform of a partner', () => {
  it.each(['2.2.1', '2.3.0'] as const)('a partner that keeps to OCPI %s passes', async (ocpi) => {
    const partner = await partnerOf({ ocpi })
    const { code, out, notes } = await check(partner.versionsUrl, partner.tokenA)
    expect([code, out]).toEqual([0, 'Everything conforms.'])
    expect(notes).toContain(`GET ${partner.versionsUrl} -> 200`)
    expect(out + notes).not.toContain(partner.tokenA)
    expect(partner.received('tokens', 'GET').map(({ url }) => url.searchParams.get('offset'))).toEqual([null, '2'])
    expect(partner.peer()).toBeUndefined()
  })

  it.each([
    ['answers-10-mb', 'more than 10 MB'],
    ['offset-times', 'is no time in UTC'],
    ['redirects', 'HTTP 307 in place of 200'],
  ])('the quirk %s ends with 1', async (quirk, fault) => {
    const partner = await partnerOf({ quirks: [quirk] })
    const { code, out } = await check(partner.versionsUrl, partner.tokenA)
    expect([code, out]).toEqual([1, expect.stringContaining(fault)])
    expect(partner.received().some(({ url }) => url.pathname.startsWith('/moved'))).toBe(false)
  })

  it('one that answers nonsense, and one that does not answer', async () => {
    const nonsense = createServer((_, response) => response.end('<html>'))
    await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(nonsense.address() as AddressInfo).port}/ocpi/versions`
    const judged = await check(url, 'T')
    expect([judged.code, judged.out]).toEqual([1, expect.stringMatching(/^GET .*: the answer is no JSON object$/m)])
    nonsense.closeAllConnections()
    await new Promise((resolve) => nonsense.close(resolve))
    expect(await check(url, 'T')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^GET http.*: .*(ECONNREFUSED|other side closed)/),
    })
  })

  it('the token may stand in the environment; without one, or without an address, it ends with 2', async () => {
    const partner = await partnerOf()
    const command = ['ocpi', 'check', partner.versionsUrl, '--json']
    const { code, out } = await installation.cli(command, { PILOTWIRE_OCPI_TOKEN: partner.tokenA })
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ passed: true })])
    expect(await check(partner.versionsUrl)).toMatchObject({
      code: 2,
      notes: expect.stringContaining('PILOTWIRE_OCPI_TOKEN'),
    })
    expect(await check('ftp://x', 'T')).toMatchObject({ code: 2, notes: expect.stringContaining('is not an address') })
  })
})

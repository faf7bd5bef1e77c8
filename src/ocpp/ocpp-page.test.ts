import { expect, it } from 'vitest'
import { ocppReference } from '../../test/support/ocpp-page.ts'

it('OCPP-MS3: docs/ocpp.md is what the tables say (print it anew with `npx vitest run src/ocpp/ocpp-page.test.ts -u`)', async () => {
  await expect(ocppReference()).toMatchFileSnapshot('../../docs/ocpp.md')
})

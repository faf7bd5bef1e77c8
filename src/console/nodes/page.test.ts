import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import type { NodeFacts } from '../../domain/ports/nodes.ts'
import { addNodePages } from './page.tsx'

const NODE = { version: '1.2.3', since: 0, lastSeenAt: 0, connections: 0, state: 'live' } as const
let nodes: readonly NodeFacts[] | undefined
const installation = {
  version: '1.2.3',
  nodes: async () => nodes,
  node: { name: 'here', since: 0 },
  storageFigures: async () => ({ databaseBytes: 1_234_567_890, logBytes: 0, diskBytes: 2e12, diskFreeBytes: 5e11 }),
}
const { place } = await operatorsOfTest({}, { installation, extraPages: [addNodePages] })

async function pageOf(user = place.ada): Promise<string> {
  const browser = await place.signedIn(user)
  const answer = await browser.get('/dashboard/nodes')
  expect(answer.status).toBe(200)
  return answer.text()
}

// CONSOLE-O1: the page of nodes
it('shows the nodes of the installation, which one answered, and figures of it and its database', async () => {
  nodes = [
    { ...NODE, name: 'here', connections: 1200 },
    { ...NODE, name: '<b>b</b>', state: 'silent' },
    { ...NODE, name: 'c', state: 'draining' },
  ]
  const html = await pageOf()
  expect(html).toContain('<bdi>here</bdi> <span class="soft small">answered this page</span>')
  expectTexts(html, '<bdi>&lt;b&gt;b&lt;/b&gt;</bdi>', '<span class="chip bad">silent: not heard from for 15 s')
  expectTexts(html, '1 of 3', '>1,200</td>', '<dd>1.2 GB</dd>', '<dd>500.0 GB of 2.0 TB</dd>', '<dd>never</dd>')
})

it('is for administrators, and of other accounts says only that they are not theirs', async () => {
  for (const user of [place.otto, place.bob, place.mia]) {
    expect((await (await place.signedIn(user)).get('/dashboard/nodes')).status).toBe(403)
  }
  const eve = await (await place.signedIn(place.eve)).get('/dashboard/nodes')
  const html = await eve.text()
  expect([eve.status, html.includes('Only users of the account that runs'), html.includes('1.2.3')]).toEqual([
    200,
    true,
    false,
  ])
})

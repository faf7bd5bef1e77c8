/** What each form of the console is called in the audit log: by its declaration, whatever is posted (ADMIN-C2). */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createUserRecord } from '../src/domain/accounts/user.ts'
import { houseOfFile, type Json } from './house.ts'
import { ADMIN, ORIGIN, signedIn, WITH_ADMIN } from './operator.ts'
import { fieldsOf } from './support/oidc/browser.ts'

/** Forms whose address names nothing, with the field that does. */
const NAMED: Readonly<Record<string, string>> = {
  '/new-charge-point': 'id',
  '/outages/care': 'site',
  '/id-tokens': 'id',
  '/users': 'email',
  '/webhooks/new': 'url',
  '/developer/clients': 'name',
  '/developer/credentials': 'name',
  '/reports/new': 'name',
  '/reports/change': 'name',
  '/reports/delete': 'name',
  '/alerts/new': 'name',
  '/new-limit-group': 'name',
  '/share-connection': 'name',
  '/new-configuration': 'name',
  '/new-location': 'locationId',
  '/new-monitors': 'name',
  '/partners/add': 'name',
}
/** Named by what is ordered, or nothing but itself. */
const UNNAMED: readonly string[] = [
  '/import/id-tokens',
  '/import/locations',
  '/tariffs',
  '/firmware',
  '/new-bulk-order',
  '/new-firmware-campaign',
  '/partners/party',
]
const KINDS: Readonly<Record<string, string>> = {
  '/developer/clients': 'client_created',
  '/developer/credentials': 'credential_created',
}

/** In words of their own (ADMIN-C7). */
const ORDERED: Readonly<Record<string, unknown>> = {
  '/new-bulk-order': expect.stringMatching(/^Reset \(soft\) of 1 charge point/),
}

let forms: readonly string[]

const newest = async (): Promise<Json> => (await house.list('/2/audit?limit=1'))[0] ?? {}
const paths = (): readonly string[] =>
  house.routes.flatMap(({ path, method }) => {
    return method === 'ALL' && path.startsWith('/dashboard/') ? [path.slice('/dashboard'.length)] : []
  })

const id = 'viewer'
const house = await houseOfFile(WITH_ADMIN, async ({ reads, writes }) => {
  const [account] = await reads.listAccounts()
  const user = {
    id,
    accountId: account?.id ?? '',
    email: 'bob@example.com',
    role: 'viewer',
    password: ADMIN.password,
  } as const
  await writes.createUser(await createUserRecord(user, Date.now(), randomBytes))
})
const ada = await signedIn(house)
const viewer = await signedIn(house, 'bob@example.com')
const report = { kind: 'sessions', groupBy: 'idToken', schedule: 'weekly', targets: [{ mail: 'a@example.com' }] }
const party = { countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'P' } }
expect((await house.request('PUT', '/2/ocpi/party', party)).status).toBe(200)
expect((await house.request('PUT', '/2/reports/R', report)).body).toMatchObject({ name: 'R' })

it('ADMIN-C2: a charge point called delete was logged as another action; what a pattern says is the action', async () => {
  const recorded: string[] = []
  for (const path of paths().filter((one) => !/^\/(?:log(?:in|out)|oauth|account|password)/.test(one))) {
    const done = path.endsWith('/:action') ? 'enable' : ''
    const address = path.replace(':action', done).replaceAll(/:\w+/g, 'delete')
    const before = (await newest()).id
    await viewer.post(`/dashboard${address}`, {}, ORIGIN)
    const { id, ...event } = await newest()
    // What is the visitor's own is no order of the account.
    if (id === before) continue
    const names = [...path.matchAll(/:(?!action)\w+/g)].map(() => 'delete')
    const action = path
      .replace(':action', done)
      .replaceAll(/\/:\w+/g, '')
      .slice(1)
    expect(event).toMatchObject({ action, actor: 'bob@example.com', outcome: 'forbidden' })
    expect([path, event.subject]).toEqual([path, names.join(' ') || undefined])
    recorded.push(path)
  }
  expect(recorded.length).toBeGreaterThan(60)
  forms = recorded.filter((path) => !path.includes(':') && !/\/(?:try|next)$/.test(path))
  expect([...forms].sort()).toEqual([...Object.keys(NAMED), ...UNNAMED].sort())
})

it('ADMIN-C2: a field that a form does not have was logged as its subject; only the declared one is', async () => {
  const tokens = new Map<string, string>()
  for (const page of [
    '',
    ...paths().filter((path) => !path.includes(':')),
    '/reports/change?name=R',
    '/reports/delete?name=R',
    '/new-bulk-order?kind=reset&type=soft&id=X',
  ]) {
    const html = await (await ada.get(`/dashboard${page}`)).text()
    for (const form of html.split('<form').slice(1)) {
      const path = /^[^>]*action="\/dashboard([^"]*)"/.exec(form)?.[1]
      const [csrf] = fieldsOf(form, 'csrf')
      if (path !== undefined && csrf !== undefined) tokens.set(path.replace('/next', ''), csrf)
    }
  }
  const typed = { id: 'an id', email: 'an email', url: 'a url', name: 'a name', site: 'a site' }
  const missing = forms.filter((path) => !tokens.has(path))
  // No charge point is offline, so nothing offers to take care of an outage; a file's token stands in its address.
  expect(missing).toEqual(['/outages/care'])
  for (const path of forms) {
    const csrf = tokens.get(path)
    if (csrf === undefined) continue
    await ada.post(`/dashboard${path}`, { csrf, ...typed }, ORIGIN)
    const { subject, ...event } = await newest()
    expect(event).toMatchObject({ action: KINDS[path] ?? path.slice(1), actor: ADMIN.email })
    const named = typed[NAMED[path] as keyof typeof typed]
    expect([path, subject]).toEqual([path, ORDERED[path] ?? named])
  }
})

/** `node render-docs.js FILE`: the API reference as the server serves it, but for its address (src/api/docs). */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createApi } from '../../src/api/api.ts'
import type { ApiContext } from '../../src/api/api-parts.ts'
import { describeApi } from '../../src/api/docs/description.ts'
import { RENDERED_BASE_URL } from '../../src/api/docs/docs-document.ts'
import { addGrants } from '../../src/oidc/grants/grants-api.ts'
import { routesOf } from '../../src/server/blocks.ts'
import { docsPage } from './docs-page.tsx'

/** Stands for whatever only a request would use: none is answered here. */
const unused: never = new Proxy((): unknown => unused, {
  get: (_, name) => (name === 'then' ? undefined : unused),
}) as never

const context: ApiContext = {
  reads: unused,
  writes: unused,
  core: unused,
  limits: unused,
  log: unused,
  now: Date.now,
  after: unused,
  monotonic: unused,
  random: randomBytes,
  salt: 0n,
  settings: { baseUrl: RENDERED_BASE_URL, secretKey: randomBytes(32), rateV1: 0, rateV2: 0, rateApi: 0, voltage: 230 },
  extraEndpoints: [addGrants(unused), ...routesOf(unused)],
}

const [, , file = 'docs.html'] = process.argv
writeFileSync(file, docsPage(describeApi(createApi(context), RENDERED_BASE_URL)))

/**
 * Everything that reads what a stranger sent, by name (OIDC-U9). Refusing is an answer like any other here: what is
 * measured is how long either takes.
 */

import { createAuthentication } from '../../src/api/access/authenticate.ts'
import { createIdempotency } from '../../src/api/requests/idempotency.ts'
import { requireAcceptable } from '../../src/api/requests/media.ts'
import { readJson } from '../../src/api/requests/request-body.ts'
import { validateQuery } from '../../src/api/requests/validation.ts'
import { deliveryQuery, eventQuery } from '../../src/api/webhooks/schemas.ts'
import { indentedJson } from '../../src/console/indented-json.ts'
import { readQuery } from '../../src/console/kit/filters.ts'
import { MESSAGE_FILTERS, messageFilter } from '../../src/console/log/message-query.ts'
import { parseCredential } from '../../src/domain/accounts/credentials.ts'
import { checkPassword } from '../../src/domain/accounts/password.ts'
import { checkedEmail, checkedName } from '../../src/domain/accounts/user.ts'
import { retryAfterMs } from '../../src/domain/deliveries/outcome.ts'
import { scaledInteger } from '../../src/domain/energy/decimal.ts'
import { parseScopes } from '../../src/domain/grants/scopes.ts'
import { addCsvLine } from '../../src/domain/message-log/csv.ts'
import { createCursors } from '../../src/domain/message-log/cursor.ts'
import { parseFilter } from '../../src/domain/message-log/parse-filter.ts'
import { readBounds } from '../../src/domain/message-log/search.ts'
import { Utf8Text } from '../../src/domain/message-log/utf8-text.ts'
import type { Client } from '../../src/domain/ports/storage-oidc.ts'
import { addressBlock } from '../../src/limits/address-block.ts'
import { limitsInMemory } from '../../src/limits/limits.ts'
import { readBasicPassword } from '../../src/ocpp/credentials.ts'
import { readIdentity } from '../../src/ocpp/identity.ts'
import { mask, maskUnreadable } from '../../src/ocpp/mask.ts'
import { readFrames } from '../../src/ocpp/rpc/frame.ts'
import { parseStationTime } from '../../src/ocpp/station-time.ts'
import { concernsConnection } from '../../src/ocpp/translate/payload.ts'
import { versions } from '../../src/ocpp/versions.ts'
import { parseAuthorization } from '../../src/oidc/authorize/parse.ts'
import { readForm } from '../../src/oidc/back-channel/oauth-error.ts'
import { redirectComplaint } from '../../src/oidc/redirect/check.ts'
import { matchesRedirect, nearestRedirect } from '../../src/oidc/redirect/match.ts'
import { readMetadata } from '../../src/oidc/registration/endpoint.ts'
import { maskSecrets } from '../../src/server/log.ts'
import { createClientOrigin } from '../../src/sockets/client-address.ts'
import { offeredExtensions, offeredProtocols } from '../../src/sockets/handshake.ts'
import { cookieValue } from '../../src/web/cookies.ts'
import { isForm } from '../../src/web/form.ts'
import { chooseLanguage } from '../../src/web/texts.ts'

const BASE_URL = 'https://pilotwire.example'
const CLIENT: Client = {
  id: 'app',
  kind: 'public',
  name: 'App',
  applicationType: 'native',
  redirectUris: ['http://127.0.0.1/cb', 'https://app.example/cb'],
  postLogoutRedirectUris: [],
  scopes: ['openid'],
  grantTypes: ['authorization_code'],
  secrets: [],
  links: {},
  createdAt: 0,
  origin: 'administrator',
}
const REQUEST = { client_id: 'app', redirect_uri: 'http://127.0.0.1:5000/cb', response_type: 'code' }
const cursors = createCursors(Buffer.alloc(32))
const authentication = createAuthentication({
  reads: { findCredential: async () => undefined },
  writes: { touchCredential: async () => undefined },
  now: () => 0,
  verifyAccessToken: async () => undefined,
  resourceMetadataUrl: BASE_URL,
  log: { warn: () => undefined },
})
const idempotency = createIdempotency(
  limitsInMemory(() => 0),
  () => 0,
)
const principal = { kind: 'credential', accountId: 'a', credentialId: 'c' } as const
const clientOrigin = createClientOrigin(['127.0.0.1', '::1'])

/** With headers that `fetch` would not let out, but a raw socket sends. */
function requestWith(headers: Readonly<Record<string, string>>, body = ''): Request {
  const bytes = body === '' ? null : new Response(body).body
  return {
    url: `${BASE_URL}/`,
    body: bytes,
    headers: { get: (name: string) => headers[name] ?? null },
  } as unknown as Request
}

const form = (body: string): Request => requestWith({ 'content-type': 'application/x-www-form-urlencoded' }, body)
const everyValue = (names: readonly string[], text: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, text]))

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'JSON body': (text) => readJson(requestWith({ 'content-type': 'application/json' }, text)),
  'JSON text in a body': (text) =>
    readJson(requestWith({ 'content-type': 'application/json' }, `{"a":${JSON.stringify(text)}}`)),
  'content type of a JSON body': (text) => readJson(requestWith({ 'content-type': `application/json;${text}` }, '{}')),
  'content type of a form': (text) => isForm(text),
  'content encoding': (text) => readJson(requestWith({ 'content-encoding': text }, '{}')),
  'form body': (text) => readForm(form(text)),
  'query of a list': (text) => validateQuery(deliveryQuery, queriesOf(text)),
  'values of a query': (text) => validateQuery(eventQuery, queriesOf(new URLSearchParams({ from: text, limit: text }))),
  accept: (text) => requireAcceptable(text, ['application/json', 'text/csv']),
  'bearer value': (text) => authentication.authenticate(requestWith({ authorization: `Bearer ${text}` })),
  'authorization header': (text) => authentication.authenticate(requestWith({ authorization: text })),
  'API credential': (text) => parseCredential(`pwk_${text}`),
  cookies: (text) => cookieValue(`${text}; pilotwire_sid=x`, 'pilotwire_sid'),
  'value of a cookie': (text) => cookieValue(`pilotwire_sid=${text}`, 'pilotwire_sid'),
  'idempotency key': (text) =>
    idempotency.once({ key: text, principal, method: 'POST', path: '/', body: {} }, async () => new Response('')),
  cursor: (text) => cursors.open(text, {}, 0),
  filters: (text) =>
    parseFilter({ method: text, connectorId: text, transactionId: [text], status: { $in: [text], [text]: text } }),
  'search window': (text) => readBounds(text, text),
  'authorization request': (text) => parseAuthorization(new URLSearchParams(text), CLIENT, BASE_URL),
  'parameters beside an authorization request': (text) =>
    parseAuthorization(new URLSearchParams(`${new URLSearchParams(REQUEST)}&${text}`), CLIENT, BASE_URL),
  'values of an authorization request': (text) => {
    const names = ['state', 'nonce', 'scope', 'prompt', 'max_age', 'resource', 'ui_locales', 'login_hint']
    const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
    const values = everyValue(names, text.slice(0, text.length / names.length))
    return parseAuthorization(new URLSearchParams({ ...REQUEST, ...challenge, ...values }), CLIENT, BASE_URL)
  },
  'redirect address': (text) => [
    matchesRedirect(CLIENT, `http://127.0.0.1:${text}`),
    nearestRedirect(CLIENT.redirectUris, `http://127.0.0.1/${text}`),
    redirectComplaint(`https://app.example/${text}`, 'web'),
    redirectComplaint(text, 'native'),
  ],
  'client metadata': (text) => [
    readMetadata({ redirect_uris: ['https://app.example/cb'], client_name: text }, ['Pilotwire']),
    readMetadata({ redirect_uris: [text], client_name: 'App' }, ['Pilotwire']),
    readMetadata({ redirect_uris: ['https://app.example/cb'], scope: text, client_uri: `https://${text}` }, []),
  ],
  scopes: (text) => parseScopes(text),
  language: (text) => chooseLanguage(text, text),
  'forwarded addresses': (text) =>
    clientOrigin({
      socket: { remoteAddress: '127.0.0.1' },
      headers: { 'x-forwarded-for': text, 'x-forwarded-proto': text },
    } as never),
  'address block': (text) => addressBlock(`::${text}`),
  'e-mail address': (text) => orNot(() => checkedEmail(text)),
  name: (text) => orNot(() => checkedName(text)),
  'new password': (text) => checkPassword(text),
  'form above the log': (text) => {
    const sent = new URLSearchParams(everyValue(['method', 'transactionId', 'status', 'from', 'to'], text))
    return messageFilter(readQuery(MESSAGE_FILTERS, sent, { timeZone: 'Europe/Berlin', now: 0 }).requested)
  },
  'identity of a charge point': (text) => readIdentity(`/ocpp/${text}`),
  'password of a charge point': (text) => readBasicPassword(`Basic ${text}`, 'CP'),
  'offers of a handshake': (text) => [
    offeredExtensions({ headers: { 'sec-websocket-extensions': text } } as never),
    offeredProtocols({ headers: { 'sec-websocket-protocol': text } } as never),
  ],
  'OCPP frame': (text) => readFrames(text),
  'OCPP frame that is broken': (text) => readFrames(`[2,"1","Heartbeat",{"a":${text}`),
  'text in an OCPP frame': (text) => readFrames(`[2,"1","DataTransfer",{"vendorId":${JSON.stringify(text)}}]`),
  'masked text': (text) => mask(`@${JSON.stringify({ data: text })}`, { data: text }),
  'masked frame': (text) => maskUnreadable(`@${text}`),
  'masked line of the log': (text) => maskSecrets(text),
  'time of a charge point': (text) => parseStationTime(text),
  'metered value': (text) => scaledInteger(text, 3, 1e15),
  'texts of a call': (text) => [
    versions['ocpp1.6'].validateCall(
      'BootNotification',
      everyValue(['chargePointVendor', 'meterType'], text),
      'lenient',
    ),
    versions['ocpp2.0.1'].validateCall('NotifyReport', { requestId: 1, generatedAt: text, seqNo: text }, 'lenient'),
  ],
  'name of a configuration key': (text) => concernsConnection(text),
  'row of the log as CSV': (text) => addCsvLine(new Utf8Text(), rowOf(text), 0n),
  'payload on a page': (text) => [indentedJson(text), indentedJson(JSON.stringify({ a: text }))],
  'Retry-After of a receiver': (text) => retryAfterMs(text, 0),
}

function queriesOf(query: string | URLSearchParams): Record<string, string[]> {
  const queries: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) queries[name] = [...(queries[name] ?? []).slice(0, 1), value]
  return queries
}

/** These throw what is not worth a problem. */
function orNot(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}

function rowOf(text: string): Parameters<typeof addCsvLine>[1] {
  return {
    id: 1,
    chargePointId: 'CP',
    direction: 'in',
    method: text,
    messageId: text,
    protocol: 'ocpp1.6',
    status: 'error',
    transactionId: text,
    request: JSON.stringify({ a: text }),
    error: { code: text, description: text, details: text },
  } as Parameters<typeof addCsvLine>[1]
}

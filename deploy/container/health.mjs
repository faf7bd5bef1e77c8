// The container's health check: ends with 0 when database and core answer, with the settings of the server itself.
import { get as getPlain } from 'node:http'
import { get as getSecurely } from 'node:https'

const { PILOTWIRE_PORT: port = '', PILOTWIRE_TLS_CERT_FILE: certificate = '' } = process.env
const secure = certificate !== ''
const url = `${secure ? 'https' : 'http'}://127.0.0.1:${port || 8080}/readyz`
// The certificate names the public address, not this one.
const options = { timeout: 4000, ...(secure && { rejectUnauthorized: false }) }
const request = (secure ? getSecurely : getPlain)(url, options, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
)
request.on('timeout', () => process.exit(1))
request.on('error', (error) => {
  console.error(`${url}: ${error.message}`)
  process.exit(1)
})

import { byMode, flag, named, setting } from './setting.ts'
import {
  base64Key,
  cidr,
  databaseAddress,
  isLoopbackUrl,
  listenAddress,
  listOf,
  nodeName,
  oneOf,
  pemFiles,
  portOr,
  timeZone,
  webAddress,
  wholeNumber,
} from './setting-kinds.ts'

/** A year of messages and a month to look at them: storage costs less than a missing record. */
const RETENTION_DAYS = 400

/** Two gibibytes: images of whole systems are smaller. */
const FILE_MAX_BYTES = 2 * 1024 ** 3

/** As much as the alert about a disk that fills begins with. */
const DISK_RESERVE_BYTES = 1024 ** 3

/** The largest file four times for each of eight charge points that upload without end. */
const LOG_QUOTA_BYTES = 64 * 1024 ** 3

/** Where the server listens, what it calls itself, where its data are and how long they stay (days). */
export const serverSettings = named({
  port: setting(wholeNumber(0, 65535), {
    description: 'TCP port for everything: charge points, API and dashboard. 0 takes any free port.',
    default: () => 8080,
  }),
  tlsCertFiles: setting(pemFiles, {
    description:
      'Certificate chain (PEM), if no proxy in front ends TLS. Needs PILOTWIRE_TLS_KEY_FILE. Two files, an ECDSA and an RSA certificate, serve charge points that speak only the suites of one of them.',
    example: '/etc/pilotwire/tls.crt',
  }),
  tlsKeyFiles: setting(pemFiles, {
    description: 'Private key (PEM) of that certificate; of two in the same order.',
    example: '/etc/pilotwire/tls.key',
  }),
  baseUrl: setting(webAddress, {
    description:
      'Address under which clients reach the server, as they see it (behind a proxy: the proxy’s). It is never guessed from requests. A loopback address means development mode unless PILOTWIRE_MODE says otherwise.',
    example: 'https://charging.example.com',
    default: ({ port = 8080, tlsCertFiles }) => `${tlsCertFiles === undefined ? 'http' : 'https'}://localhost:${port}`,
  }),
  mode: setting(oneOf('development', 'production'), {
    description:
      'Decides defaults only. Development listens on this machine alone, accepts charge points and id tokens never seen before, lets webhooks reach loopback addresses and opens dynamic client registration; production does none of these.',
    example: 'production',
    default: ({ baseUrl }) => (baseUrl === undefined || isLoopbackUrl(baseUrl) ? 'development' : 'production'),
    defaultNote: '`development` with a loopback base URL, otherwise `production`',
  }),
  host: setting(listenAddress, {
    description:
      'Address to listen on. 0.0.0.0: all IPv4 interfaces, `::`: all of both. In a container 127.0.0.1 cannot be reached from outside it.',
    example: '0.0.0.0',
    default: byMode('127.0.0.1', '0.0.0.0'),
  }),
  metricsPort: setting(portOr('shared'), {
    description:
      'TCP port of GET /metrics, which needs no credential, so that no path of the public port leads to it. 0 takes any free port; shared: on PILOTWIRE_PORT, for every client that reaches it.',
    example: '9080',
    default: ({ mode, port = 8080 }) => (mode === 'production' ? metricsPortBeside(port) : 'shared'),
    defaultNote: '`shared` in development mode; in production a thousand above PILOTWIRE_PORT',
  }),
  metricsHost: setting(listenAddress, {
    description: 'Address on which that port is opened; where Prometheus runs elsewhere, one that only it reaches.',
    example: '10.0.0.5',
    default: () => '127.0.0.1',
  }),
  dashboardUrl: setting(webAddress, {
    description: 'Address of the dashboard, where users sign in and approve applications.',
    example: 'https://charging.example.com/dashboard',
    default: ({ baseUrl = '' }) => `${baseUrl}/dashboard`,
  }),
  allowHttp: flag(
    'Allows a base URL with plain http that is not a loopback address. Passwords and tokens then cross the network unencrypted.',
  ),
  trustedProxies: setting(listOf(cidr, 'address blocks such as 10.0.0.0/8'), {
    description: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    example: '10.0.0.0/8,fd00::/8',
    default: () => [],
  }),
  databaseUrl: setting(databaseAddress, {
    description:
      'Where the data is kept: one file, or a PostgreSQL server (15 or newer) that several nodes share. A relative path starts at the working directory; missing folders are created.',
    example: 'file:/var/lib/pilotwire/pilotwire.db',
    default: () => 'file:data/pilotwire.db',
  }),
  secretKey: setting(base64Key, {
    secret: true,
    description:
      'Keys cursors and charge point passwords and encrypts signing keys and webhook secrets. Keep it as safe as the database, and apart from it: without it these are lost. Make one with: openssl rand -base64 32',
    example: 'the output of: openssl rand -base64 32',
    defaultNote: 'generated on the first start into a file of mode 0600 beside the database (its path and `.key`)',
  }),
  nodeName: setting(nodeName, {
    description:
      'Name of this server among those that share a PostgreSQL database, different for each: it stands in GET /2/nodes, in pilotwire node list and in the metrics.',
    example: 'pilotwire-1',
    defaultNote: 'the host name and the port',
  }),
  stopDelaySeconds: setting(wholeNumber(0, 300, 'seconds'), {
    description:
      'How long a server that is asked to stop only says that it is not ready, so that a balancer sends the next ones elsewhere, before it ends its connections. There is no wait where no other server shares the database.',
    example: '10',
    default: () => 5,
  }),
  rebalancePercent: setting(wholeNumber(0, 100, 'percent a minute'), {
    description:
      'Of several servers that share the database one that has more connections than the mean, as after a deploy, closes so many of them a minute, so that the balancer gives them to the others. 0 = never.',
    example: '5',
    default: () => 1,
  }),
  retentionDays: setting(wholeNumber(0, 36_500, 'days'), {
    description: 'How long the log is kept (exchanges with partners: 30 days at most); 0 = for ever. Sessions stay.',
    example: '90',
    default: () => RETENTION_DAYS,
  }),
  signedRetentionDays: setting(wholeNumber(0, 36_500, 'days'), {
    description:
      'How long signed meter values are kept, counted from when they came; 0 = for ever. The message log may forget earlier.',
    example: '3650',
    default: () => 0,
  }),
  auditRetentionDays: setting(wholeNumber(0, 36_500, 'days'), {
    description: 'How long the audit log keeps who did what, sign-ins among it; 0 = for ever.',
    example: '730',
    default: () => 0,
  }),
  fileMaxSize: setting(wholeNumber(1, 1024 ** 4, 'bytes'), {
    description:
      'The largest firmware image or log that is taken. The files stand beside the database, in a folder of its name and `.files`.',
    example: '536870912',
    default: () => FILE_MAX_BYTES,
  }),
  diskReserve: setting(wholeNumber(0, 1024 ** 4, 'bytes'), {
    description:
      'Free bytes that uploads of logs and firmware, and backups on the same disk, leave, so that messages of charge points can still be stored.',
    example: '5368709120',
    default: () => DISK_RESERVE_BYTES,
  }),
  logQuota: setting(wholeNumber(0, 1024 ** 5, 'bytes'), {
    description:
      'What the logs that charge points of one account uploaded may take; those of one charge point an eighth of it. Beyond that uploads are refused until the oldest logs are removed, within the hour. 0 = no limit.',
    example: '10737418240',
    default: () => LOG_QUOTA_BYTES,
  }),
  timeZone: setting(timeZone, {
    description:
      'Where a day begins that the dashboard counts the energy of, the clock of quiet hours that name none, and of mails and of users who chose no zone.',
    example: 'Europe/Berlin',
    default: () => 'UTC',
  }),
  logLevel: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    description: 'Least severe kind of line that is logged (to stderr, JSON unless it is a terminal).',
    example: 'debug',
    default: () => 'info',
  }),
})

/** Differs between the servers of one machine as their ports do. */
function metricsPortBeside(port: number): number {
  if (port === 0) return 0
  return port + 1000 <= 65_535 ? port + 1000 : port - 1000
}

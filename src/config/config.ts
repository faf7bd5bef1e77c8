/**
 * The configuration that every room is built with. The table in `config/settings.ts` fills it from the environment and
 * has the meaning, the accepted values, the default and an example of each member; `.env.example` and
 * `docs/configuration.md` are generated from it. A wrong value is a `ConfigurationError` that names every fault.
 * @example const { config, warnings } = loadConfig(process.env, randomBytes)
 */

export type Mode = 'development' | 'production'

/** Everything the environment decides. Durations are whole seconds unless the name says otherwise. */
export interface Settings {
  readonly mode: Mode
  /** TCP; 0: any free port. */
  readonly port: number
  /** The address to listen on. */
  readonly host: string
  /** `shared`: `port` answers /metrics, too. */
  readonly metricsPort: number | 'shared'
  readonly metricsHost: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Without a trailing slash. */
  readonly dashboardUrl: string
  readonly allowHttp: boolean
  /** `file:` and a path. */
  readonly databaseUrl: string
  /** Absent: host name and port. */
  readonly nodeName?: string | undefined
  readonly stopDelaySeconds: number
  /** 0 = never (STORE-N18). */
  readonly rebalancePercent: number
  /** 32 bytes; absent: the key file beside the database. */
  readonly secretKey?: Buffer | undefined
  readonly adminEmail: string
  readonly adminPassword?: string | undefined
  readonly unknownChargePoints: 'accept' | 'pending' | 'reject'
  readonly unknownIdTokens: 'accept' | 'reject'
  readonly registration: 'off' | 'open' | 'token'
  readonly registrationToken?: string | undefined
  /** Dynamic registrations per hour and address; 0 = no limit. */
  readonly registrationRate: number
  /** client_secret_basic is accepted beside client_secret_post (OIDC-K8). */
  readonly oauthBasic: boolean
  /** Native applications are confirmed by the user each time (OIDC-K7). */
  readonly oauthConfirmNative: boolean
  /** Revoking a refresh token ends the grant as well (OIDC-C9). */
  readonly oauthRevokeEndsGrant: boolean
  readonly accessTokenTtlSeconds: number
  readonly refreshTokenTtlSeconds: number
  readonly codeTtlSeconds: number
  readonly idTokenTtlSeconds: number
  readonly interactionTtlSeconds: number
  readonly refreshGraceSeconds: number
  /** Requests per minute; 0 = no limit. */
  readonly rateV1: number
  readonly rateV2: number
  readonly rateApi: number
  readonly webhookFiguresIntervalSeconds: number
  readonly webhookScheduleSeconds: readonly number[]
  /** CIDR blocks. */
  readonly webhookAllowPrivate: readonly string[]
  /** Absent: no mail. */
  readonly smtpUrl?: string | undefined
  readonly smtpAllowPlain: boolean
  readonly mailFrom: string
  readonly mailLanguage: 'en' | 'de'
  readonly alertIntervalSeconds: number
  /** 0 = for ever. */
  readonly retentionDays: number
  /** Of signed meter values; 0 = for ever. */
  readonly signedRetentionDays: number
  readonly auditRetentionDays: number
  /** Bytes. */
  readonly fileMaxSize: number
  readonly diskReserve: number
  /** 0 = no limit. */
  readonly logQuota: number
  /** Of the IANA database. */
  readonly timeZone: string
  /** SESSION-A4: by policy. */
  readonly concurrentTransactions: 'accept' | 'reject'
  readonly ocppValidation: 'lenient' | 'strict'
  readonly ocppReports: 'automatic' | 'manual'
  /** Bytes. */
  readonly ocppMaxFrame: number
  readonly ocppCallTimeoutSeconds: number
  readonly ocppPingIntervalSeconds: number
  /** Identities of charge points that never answer a ping (OCPP-CN3). */
  readonly ocppWithoutPong: readonly string[]
  /** Whose order of sub-protocols decides (OCPP-T5). */
  readonly ocppProtocolOrder: 'client' | 'server'
  /** `OCPP1.6` is taken for `ocpp1.6`, a missing header for 1.6 (OCPP-T5, OCPP-T6). */
  readonly ocppTolerantProtocols: boolean
  /** Handshakes in progress at once (OCPP-CN5). */
  readonly ocppMaxUpgrades: number
  /** OCPP-CN5: with more waiting messages, or a core slower than this, new connections are put off; 0 = no limit. */
  readonly ocppMaxQueue: number
  readonly ocppMaxLagMs: number
  readonly heartbeatIntervalSeconds: number
  readonly remoteStartTimeoutSeconds: number
  readonly orphanTimeoutSeconds: number
  /** CIDR blocks. */
  readonly trustedProxies: readonly string[]
  /** One, or an ECDSA and an RSA one (OCPP-TL2); the keys in the same order. */
  readonly tlsCertFiles?: readonly string[] | undefined
  readonly tlsKeyFiles?: readonly string[] | undefined
  /** Who makes the certificates of charge points (CERT-C7, CERT-C21, CERT-C22). */
  readonly certificateProvider: 'internal' | 'http' | 'manual'
  readonly certificateHookUrl?: string | undefined
  readonly certificateHookSecret?: string | undefined
  /** In certificates of charge points; absent: the name of the account (CERT-C12). */
  readonly organization?: string | undefined
  /** PEM file of further authorities for certificates of charge points (CERT-C11). */
  readonly clientCaFile?: string | undefined
  /** CERT-C16 */
  readonly clientCertHeader: string
  readonly logLevel: LogLevel
}

/** What the log leaves out; `silent` leaves out everything. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** All settings of a server, read and checked, with the key that it may have made itself. */
export interface Config extends Settings {
  /** 32 bytes. */
  readonly secretKey: Buffer
}

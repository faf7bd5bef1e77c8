/** Stand-in until the table of settings lands: the shape the rooms are written against. */
export interface Config {
  readonly mode: 'development' | 'production'
  readonly port: number
  readonly host: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly databaseUrl: string
  /** 32 bytes. */
  readonly secretKey: Buffer
  readonly adminEmail?: string
  readonly adminPassword?: string
  readonly unknownChargePoints: 'accept' | 'pending' | 'reject'
  readonly unknownIdTokens: 'accept' | 'reject'
  readonly registration: 'off' | 'open' | 'token'
  readonly registrationToken?: string
  readonly accessTokenTtlSeconds: number
  readonly refreshTokenTtlSeconds: number
  readonly codeTtlSeconds: number
  readonly idTokenTtlSeconds: number
  readonly interactionTtlSeconds: number
  readonly refreshGraceSeconds: number
  readonly rateV1: number
  readonly rateV2: number
  readonly webhookFiguresIntervalSeconds: number
  readonly webhookScheduleSeconds: readonly number[]
  readonly webhookAllowPrivate: readonly string[]
  readonly retentionDays: number
  readonly ocppValidation: 'lenient' | 'strict'
  readonly ocppMaxFrame: number
  readonly ocppCallTimeoutSeconds: number
  readonly ocppPingIntervalSeconds: number
  readonly heartbeatIntervalSeconds: number
  readonly remoteStartTimeoutSeconds: number
  readonly orphanTimeoutSeconds: number
  readonly trustedProxies: readonly string[]
  readonly tlsCertFile?: string
  readonly tlsKeyFile?: string
  readonly logLevel: string
}

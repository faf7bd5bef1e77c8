export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** It is this machine: a relay here has a certificate of its own making, or none, and no network lies between. */
  readonly isLocal: boolean
}

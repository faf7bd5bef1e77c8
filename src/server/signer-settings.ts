import type { Config } from '../config/config.ts'
import type { SignerSettings } from '../domain/ports/certificates.ts'

export function signerSettings(config: Config): SignerSettings {
  return {
    provider: config.certificateProvider,
    hookUrl: config.certificateHookUrl,
    hookSecret: config.certificateHookSecret,
    baseUrl: config.baseUrl,
  }
}

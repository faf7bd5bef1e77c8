/** Passwords by flag, or by file for those who do not want them in the process list and the shell's history. */
import { readFileSync } from 'node:fs'
import { UsageError } from '../cli-context.ts'

export const PASSWORD_FLAG = ['--password <password>', 'password; visible in the process list while this runs'] as const
export const PASSWORD_FILE_FLAG = [
  '--password-file <path>',
  'file that holds the password; - reads standard input',
] as const

export interface PasswordOptions {
  readonly password?: string | undefined
  readonly passwordFile?: string | undefined
}

/** The password that was given, without a line end; undefined: generate one. */
export function givenPassword({ password, passwordFile }: PasswordOptions): string | undefined {
  if (passwordFile === undefined) return password
  if (password !== undefined) throw new UsageError('Give --password or --password-file, not both.')
  try {
    return readFileSync(passwordFile === '-' ? 0 : passwordFile, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new UsageError(`--password-file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

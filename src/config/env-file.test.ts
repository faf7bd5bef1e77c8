import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEnvFile } from './env-file.ts'
import { readTextFile } from './load.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotwire-env-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (text: string) => {
  const path = join(folder, '.env')
  writeFileSync(path, text)
  return readEnvFile(path, readTextFile)
}

it('reads names and values; a byte order mark and Windows line ends are no part of them', () => {
  expect(read('\uFEFFPILOTWIRE_PORT=9001\r\n# why\r\nPILOTWIRE_RATE_V1 = "5"\r\n')).toEqual({
    PILOTWIRE_PORT: '9001',
    PILOTWIRE_RATE_V1: '5',
  })
})

it('no file is no setting', () => {
  expect(readEnvFile(join(folder, 'none'), readTextFile)).toEqual({})
})

it('a line that sets nothing is named: it would swallow the setting of the next line', () => {
  expect(() => read('PILOTWIRE_PORT=1\nnonsense line\nPILOTWIRE_RATE_V2=7\n')).toThrow('the line "nonsense line"')
})

it('what is no readable file is refused with a sentence', () => {
  expect(() => readEnvFile(folder, readTextFile)).toThrow(/cannot be read \(EISDIR.*remove it/)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readEnvFile, readTextFile } from './read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-env-'))
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

it.each([
  ['PILOTWIRE_PORT=1\nPILOTWIRE_SECRET_KEY: c2VjcmV0\nPILOTWIRE_RATE_V2=7\n', 2],
  ['\r\nnonsense line\r\n', 2],
  ['nonsense line', 1],
  ['A="1\n2"\nnonsense line\nB=2', 3],
])('a line that sets nothing is numbered, not repeated, as it may be a secret: %j', (text, line) => {
  expect(() => read(text)).toThrow(new RegExp(`env: line ${line} sets nothing: write NAME=value`))
})

it('values may be empty, quoted, over several lines, exported, and have spaces around them', () => {
  const text = '  A = 1 # one\n\nexport B="two\nwords = \\"\n  \nC=\nD=\'x # y\'\n#E\nF=say "it'
  expect(Object.keys(read(text)).sort()).toEqual(['A', 'B', 'C', 'D', 'F'])
  expect(read(text)).toMatchObject({ A: '1', C: '', D: 'x # y' })
})

it('what is no readable file is refused with a sentence', () => {
  expect(() => readEnvFile(folder, readTextFile)).toThrow(/cannot be read \(EISDIR.*remove it/)
})

/** What the documentation shows is run as it stands there, importing the package as its user does. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = (code: string) => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])

const inComments = ['central-system', 'library/charge-point', 'partner/partner', 'time/simulated-time'].flatMap(
  (path) =>
    [...readFileSync(`simulator/${path}.ts`, 'utf8').matchAll(/@example\n((?: \* .*\n)+)/g)].map(([, block = '']) => {
      const code = block.replaceAll(/^ \* /gm, '')
      const names = ['ChargePoint', 'createPartner', 'SimulatedClock', 'startCentralSystem'].filter((name) =>
        code.includes(name),
      )
      return `import { ${names.join(', ')} } from 'pilotwire/simulator'\n${code}`
    }),
)
const readme = readFileSync('simulator/README.md', 'utf8')
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)

it.each(inComments)('SIM-A7: the examples of the comments run (%#)', async (code) => {
  await run(code)
})

it.each(blocks)('SIM-A7: the examples of the README run, and no frame breaks its schema (%#)', async (code) => {
  const { stdout } = await run(code)
  expect(stdout).toMatch(/energyKwh: \d[^}]*\}\n\[\]\n$|^\[ [\d., ]+ \]\n$/)
})

it('SIM-A7: the examples of the README are those that a reader sees', () => {
  expect(blocks).toHaveLength(2)
})

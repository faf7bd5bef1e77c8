/** Documents make promises: each failure names its proof, and the proof must exist under that name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startCli, testInstallation } from './support/server/cli/testing.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

describe('docs/failure-modes.md', () => {
  const text = read('docs/failure-modes.md')
  const proofs = [...text.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)\s+“([^”]+)”/g)].map(([, file = '', name = '']) => ({
    file,
    name: name.replaceAll(/\s+/g, ' '),
  }))

  it('names tests that exist', () => {
    expect(proofs.length).toBeGreaterThan(25)
    // A name that is made in a loop has its place spelled as in a table.
    const named = (file: string): string => read(file).replaceAll(/\$\{\w+\}/g, '%s')
    const missing = proofs.filter(({ file, name }) => !existsSync(file) || !named(file).includes(name))
    expect(missing).toEqual([])
    // None is written in a way that this test overlooks.
    expect(text.match(/\.test\.ts\)/g)).toHaveLength(proofs.length)
  })

  it('proves every failure, paragraph by paragraph', () => {
    const [, ...sections] = text.split(/^## /m)
    const claims = sections.flatMap((section) => section.split('\n\n').slice(1)).filter((claim) => claim.trim() !== '')
    expect(claims.filter((claim) => !claim.includes('Proof: '))).toEqual([])
  })
})

it('comments name files that exist', () => {
  const files = ['src', 'simulator', 'bench', 'test', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const endings = new Set(files.flatMap((file) => file.split('/').map((_, at, all) => all.slice(at).join('/'))))
  const root = new Set(readdirSync('.'))
  const code = files.filter((file) => /^(src|simulator|bench|test)\/.*\.tsx?$/.test(file))
  expect(code.length).toBeGreaterThan(1000)
  const named = code.flatMap((file) =>
    (read(file).match(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? []).flatMap((comment) =>
      (comment.match(/(?<![\w./-])[\w-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|md|sql)\b/g) ?? []).map((name) => ({ file, name })),
    ),
  )
  expect(named.filter(({ name }) => !endings.has(name) && !root.has(name))).toEqual([])
})

describe('documents', () => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'))

  it.each(pages)('docs/%s links to files that exist, and to headings that they have', (page) => {
    const wrong = [...read(join('docs', page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !isThere(join('docs', page), link))
    expect(wrong).toEqual([])
  })

  it('name files that exist', () => {
    const rooms = readdirSync('src').filter((name) => !name.includes('.'))
    const inSrc = new RegExp(`(?<=\`)(?=(?:${rooms.join('|')})/)[\\w./-]+(?=\`)`, 'g')
    const way = `${read('ARCHITECTURE.md')}${read('docs/finding-your-way.md')}`.match(inSrc) ?? []
    const named = pages.flatMap(
      (page) => read(join('docs', page)).match(/(?<=`)(?:src|simulator|test)\/[\w./-]+(?=`)/g) ?? [],
    )
    expect([named.length > 40, way.length > 40]).toEqual([true, true])
    expect(way.filter((path) => !existsSync(join('src', path)))).toEqual([])
    // The examples of docs/adding-a-message.md are not built yet.
    const examples = ['src/ocpp/v21/']
    const isExample = (path: string) => examples.some((example) => path.startsWith(example))
    expect(named.filter((path) => !existsSync(path) && !isExample(path))).toEqual([])
  })

  it('name settings and commands that exist', async () => {
    const settings = new Set(read('docs/configuration.md').match(/PILOTWIRE_[A-Z0-9_]+/g))
    const installation = testInstallation()
    const help = (await startCli(['--help'], installation.environment).ended).out
    installation.remove()
    for (const page of ['operating.md', 'security.md', 'failure-modes.md']) {
      const text = read(join('docs', page))
      const named = (text.match(/PILOTWIRE_[A-Z0-9_]+/g) ?? []).map((name) => name.replace(/_FILE$/, ''))
      expect(
        named.filter(
          (name) => !settings.has(name) && !settings.has(`${name}_FILE`) && name !== 'PILOTWIRE_API_CREDENTIAL',
        ),
        page,
      ).toEqual([])
      const commands = [...text.matchAll(/`pilotwire ([a-z-]+)/g)].map(([, name = '']) => name)
      expect(
        commands.filter((name) => !help.includes(`  ${name} `)),
        page,
      ).toEqual([])
    }
  })
})

function isThere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#')
  const path = file === '' ? page : join(dirname(page), file)
  if (!existsSync(path)) return false
  return heading === undefined || headings(read(path)).includes(heading)
}

/** As the usual renderers make them. */
function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** What a row of docs/glossary.md replaces: words of its last column with a star. */
function replacedWords(): readonly string[] {
  const rows = readFileSync('docs/glossary.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  return rows.flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/(\w+)\*/g)].map(([, word = '']) => word))
}

/** Parts of a name: `createFlushParts` has `create`, `flush` and `parts`. */
function partsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase())
}

const words = replacedWords()

it('the glossary names words that it replaces', () => {
  expect(words).toEqual(expect.arrayContaining(['stranger', 'pursue', 'fold', 'regard']))
})

it.each([...new Set(words)])('no file of src/ is named by the word %s', (word) => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const forms = [word, `${word}s`, `${word}es`]
  expect(files.filter((file) => partsOf(file).some((part) => forms.includes(part)))).toEqual([])
})

it.each([...new Set(words)])('nothing that src/ declares is named by the word %s', (word) => {
  const forms = [word, `${word}s`, `${word}es`]
  const named = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/test(ing)?\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join('src', file), 'utf8')
      return [...text.matchAll(/\b(?:function\*?|const|class|interface|type|enum) +(\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => partsOf(name).some((part) => forms.includes(part)))
        .map((name) => `${file}: ${name}`)
    })
  expect(named).toEqual([])
})

it.each([...new Set(words)])('no comment of src/ and no text of a page has the word %s', (word) => {
  const form = new RegExp(`\\b${word}(e?s)?\\b`, 'i')
  const comments = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const found = readFileSync(join('src', file), 'utf8').match(/\/\*\*.*?\*\/|^ *\/\/ [^\n]*/gms) ?? []
      return found.map((comment) => `${file}: ${comment}`)
    })
  const texts = readFileSync('locales/en.json', 'utf8').split('\n')
  expect([...comments, ...texts].filter((text) => form.test(text))).toEqual([])
})

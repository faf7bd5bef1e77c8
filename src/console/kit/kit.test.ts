import { expect, it } from 'vitest'
import { expectTexts } from '../../../test/support/texts.ts'
import { Choice, NOTHING_TYPED, type Options } from '../../web/entries.tsx'
import { Table } from '../../web/parts/table.tsx'
import type { Visit } from '../visit.tsx'
import { asOptions, Form, namesAsOptions, typedWith } from './form.tsx'

const HOSTILE = '</td><script>alert(1)</script>\u202e'

const columns = [
  { title: 'Id', sort: { to: '/list?sort=id', now: 'ascending' as const }, text: ({ id }: { id: string }) => id },
  { title: 'Size', kind: 'number' as const, cell: () => 7 },
  { title: 'Digest', wideOnly: true, cell: () => 'abc' },
  { cell: () => 'button' },
]

it('a table has each title once above and beside its cells for a phone, and says how it is sorted', () => {
  const html = String(Table({ rows: [{ id: 'A' }], columns }))
  expect(html).toContain('<th scope="col" aria-sort="ascending"><a href="/list?sort=id">Id<svg')
  expectTexts(html, '<th scope="col" class="number">Size</th>', '<td class="number" data-label="Size">7</td>')
  expect(html).toContain('<td class="no-phone" data-label="Digest">abc</td><td>button</td>')
})

it('a table isolates what a charge point wrote and leaves it inert', () => {
  const html = String(Table({ rows: [{ id: HOSTILE }], columns }))
  expect(html).toContain('<td><bdi>&lt;/td&gt;&lt;script&gt;')
  expect(html).not.toContain('<script>')
})

it('a table says that there is nothing, and leaves out a column that a condition took away', () => {
  expect(String(Table({ rows: [], columns, empty: 'Nothing.' }))).toBe('<p class="soft nothing">Nothing.</p>')
  expect(String(Table({ rows: [{ id: 'A' }], columns: [false, columns[1]] }))).not.toContain('Digest')
})

const valuesOf = (options: Options): readonly string[] => {
  const html = String(Choice({ label: 'Site', name: 'site', typed: NOTHING_TYPED, options }))
  return Array.from(html.matchAll(/<option value="([^"]*)"/g), ([, value = '']) => value)
}

it('ADMIN-D3: names stand in the order in which people count', () => {
  const sites = ['Site 10', 'site 3', '10', 'Site 2', '7', 'Ägypten', 'Berlin']
  const counted = ['7', '10', 'Ägypten', 'Berlin', 'Site 2', 'site 3', 'Site 10']
  expect(valuesOf(namesAsOptions({ language: 'de' }, sites))).toEqual(counted)
  expect(valuesOf(namesAsOptions({ language: 'en' }, []))).toEqual([])
})

it('ADMIN-D3: a value that is a number does not stand before the choice that leaves it open', () => {
  expect(valuesOf([['', 'all sites'], ...namesAsOptions({ language: 'en' }, ['10', '7'])])).toEqual(['', '7', '10'])
  expect(valuesOf(asOptions(['3', 'off', '1']))).toEqual(['3', 'off', '1'])
})

it('ADMIN-D1: each field has all of its faults, and a refusal without any is about the whole form', () => {
  const form = new URLSearchParams({ labels: 'x' })
  const refusal = { refused: true, status: 400, code: 'invalid_request', detail: 'Wrong.' } as const
  const errors = ['is a', 'is b'].map((message) => ({ pointer: '/labels', code: 'invalid_value', message }))
  expect(typedWith(form, { ...refusal, errors })).toEqual({ form, faults: { labels: 'is a. is b' } })
  expect(typedWith(form, refusal)).toEqual({ form, faults: { form: 'Wrong.' } })
})

it('ADMIN-D1: a fault stands beside its field, one without a field above the form, and what was typed stays', () => {
  const frame = { language: 'de' }
  const visit = {
    frame,
    csrf: () => 'token',
    once: () => 'once',
    nameOnce: (form: string) => form,
  } as unknown as Visit
  const typed = { form: new URLSearchParams({ id: HOSTILE }), faults: { id: 'is wrong', owner: 'is required' } }
  const fields = [{ legend: 'Group', fields: [{ name: 'id', label: 'Id', hint: 'A hint.' }, false as const] }]
  const html = String(
    Form({ visit, action: 'a', to: '/a', submit: 'Go', typed, fields, once: 'named', refused: 'No.' }),
  )
  expect(html).toContain('<p class="warn" role="alert">No. owner: muss angegeben werden</p>')
  expect(html).toContain('<p class="warn" role="alert" id="id-fault">is wrong</p>')
  expect(html).toContain('aria-invalid="true" aria-describedby="id-hint id-fault"')
  expectTexts(html, '<input type="hidden" name="once" value="named"/>', 'value="&lt;/td&gt;&lt;script&gt;')
})

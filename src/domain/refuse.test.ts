import { expect, it } from 'vitest'
import { refuseFault, refuseFaults } from './refuse.ts'

const fault = (n: number, code = 'required') => ({ pointer: `/m${n}`, code, message: 'is required' })

it('takes the code of the only kind of fault, unless one says more than all others', () => {
  expect(refuseFault('/a', 'required', 'is required')).toEqual({
    refused: true,
    status: 400,
    code: 'required',
    detail: '/a is required.',
    errors: [{ pointer: '/a', code: 'required', message: 'is required' }],
  })
  expect(refuseFaults([fault(1), fault(2, 'unknown_field')]).code).toBe('invalid_request')
  expect(refuseFaults([fault(1), fault(2)], 'unknown_operator').code).toBe('unknown_operator')
  expect(refuseFaults([]).detail).toBe('The request is not valid.')
})

it('OIDC-U9: thousands of faults are not answered with a megabyte', () => {
  const { detail, errors } = refuseFaults(Array.from({ length: 5000 }, (_, n) => fault(n)))
  expect(errors).toHaveLength(1000)
  expect(detail).toMatch(/ There are 5000 faults in all\.$/)
  expect(detail.length).toBeLessThan(1000)
})

import { beforeEach } from 'vitest'
import { ROOMS } from './rooms.mjs'

const { slow = [] } = ROOMS[process.env['HINDCAST_MUTANTS_ROOM'] ?? ''] ?? {}

beforeEach(({ task, skip }) => {
  const names = [task.name]
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name)
  if (slow.some((name) => name.test(names.join(' ')))) skip()
})

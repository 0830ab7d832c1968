import { expect, test } from 'vitest'
import { settingsFor } from './sizing.ts'

const gigabyte = 2 ** 30

test.each([
  [
    { gigabytes: 0.5, cores: 1, stored: 10 },
    { shared_buffers: '64MB', work_mem: '4MB', maintenance_work_mem: '64MB' },
  ],
  [
    { gigabytes: 2, cores: 2, stored: 10 },
    { shared_buffers: '256MB', work_mem: '8MB', maintenance_work_mem: '128MB' },
  ],
  [
    { gigabytes: 8, cores: 4, stored: 10 },
    { shared_buffers: '1024MB', work_mem: '32MB', maintenance_work_mem: '512MB' },
  ],
  [
    { gigabytes: 256, cores: 64, stored: 10 },
    { shared_buffers: '2048MB', work_mem: '32MB', max_wal_size: '4096MB' },
  ],
  // Room for a quarter of what is there, and for what a small server reads again and again.
  [{ gigabytes: 256, cores: 64, stored: 0.4 }, { shared_buffers: '102MB' }],
  [{ gigabytes: 256, cores: 64, stored: 0 }, { shared_buffers: '24MB' }],
  [{ gigabytes: 0.5, cores: 1, stored: 0 }, { shared_buffers: '24MB' }],
])('on %j the database gets its share of memory', ({ gigabytes, cores, stored }, settings) => {
  expect(settingsFor({ memory: gigabytes * gigabyte, cores }, stored * gigabyte)).toMatchObject(settings)
})

test('workers follow cores, within what PostgreSQL has places for', () => {
  const workers = (cores: number) => {
    const settings = settingsFor({ memory: gigabyte, cores }, 0)
    return [
      settings['max_worker_processes'],
      settings['max_parallel_workers'],
      settings['autovacuum_max_workers'],
    ]
  }
  expect(workers(1)).toEqual(['4', '2', '2'])
  expect(workers(16)).toEqual(['16', '8', '3'])
})

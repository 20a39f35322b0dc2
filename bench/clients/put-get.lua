-- The put-get workload with wrk: PUT and GET in turn, a new index for each pair. A thread of wrk has one Lua state for
-- all of its connections, so a GET may overtake its PUT: the target answers both alike.
local index = 0
local isPut = false
local json = { ['Content-Type'] = 'application/json' }

request = function()
  isPut = not isPut
  if isPut then
    index = index + 1
    return wrk.format('PUT', '/foo_' .. index, json, '"mydata_' .. index .. '"')
  end
  return wrk.format('GET', '/foo_' .. index)
end

-- name -eq 'order goods'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text))))

-- name -eq 'WARE "bestellen"'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text))))

-- name -ne 'Pay'
(not (exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text)))))

-- note -ne 'x' AND type -eq 'AREA'
((not (exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text))))) and ((not ("m"."type" is null)) and (lower("m"."type") = lower($3::text))))

-- name -in ('SIGN', 'pago')
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = any(array(select lower("list"."item") from unnest($2::text[]) as "list"("item"))))))

-- name -gt 'receive'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") > lower($2::text))))

-- Contains(name, '100%_')
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") like lower($2::text))))

-- Contains(name, '0_%')
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") like lower($2::text))))

-- StartsWith(name, 'pa')
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") like lower($2::text))))

-- EndsWith(name, 'ING') AND NOT StartsWith(name, 'B')
((exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") like lower($2::text)))) and (not (exists (select from jsonb_each_text(("v"."attributes" -> $3::text)) as "entry"("culture", "value") where (lower("entry"."value") like lower($4::text))))))

-- cost -ge 12.5
(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" >= to_jsonb($3::numeric)))))

-- cost -lt '12.50'
(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" < to_jsonb($3::numeric)))))

-- cost -ne 1
(not (exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" = to_jsonb($3::numeric))))))

-- cost -in (1, 2e2)
(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" = any(array(select to_jsonb("list"."item") from unnest($3::numeric[]) as "list"("item")))))))

-- critical -eq true
(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" = to_jsonb($3::boolean)))))

-- critical -in ('FALSE')
(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $2::text) and ("entry"."value" = any(array(select to_jsonb("list"."item") from unnest($3::boolean[]) as "list"("item")))))))

-- validFrom -eq '2026-05-07'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then ((("entry"."value")::timestamp >= $3::timestamp) and (("entry"."value")::timestamp < $4::timestamp)) else false end)))

-- validFrom -gt '2026-05-07'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then (("entry"."value")::timestamp >= $3::timestamp) else false end)))

-- validFrom -le '2026-05-07T08:30'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then (("entry"."value")::timestamp < $3::timestamp) else false end)))

-- validFrom -lt '2026-05-07T08:30:00'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then (("entry"."value")::timestamp < $3::timestamp) else false end)))

-- validFrom -in ('2026-05-06', '2026-05-07T08:30:00.000000')
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then (exists (select from unnest($3::timestamp[], $4::timestamp[]) as "span"("from", "before") where ((("entry"."value")::timestamp >= "span"."from") and (("entry"."value")::timestamp < "span"."before")))) else false end)))

-- validFrom -lt '9999-12-31'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (case when pg_input_is_valid("entry"."value", $2::text) then (("entry"."value")::timestamp < $3::timestamp) else false end)))

-- NOT IsNull(links)
(not (not (exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ((not (btrim("entry"."value", $2::text) = $3::text)) and ("entry"."value" <> $4::text))))))

-- IsNull(note) AND type -eq 'process'
((not (exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (not (btrim("entry"."value", $2::text) = $3::text))))) and ((not ("m"."type" is null)) and (lower("m"."type") = lower($4::text))))

-- stereotype -eq 'CORE'
((not ("e"."stereotype" is null)) and (lower("e"."stereotype") = lower($1::text)))

-- stereotype -ne 'core' AND type -in ('process')
((not ((not ("e"."stereotype" is null)) and (lower("e"."stereotype") = lower($1::text)))) and ((not ("m"."type" is null)) and (lower("m"."type") = any(array(select lower("list"."item") from unnest($2::text[]) as "list"("item"))))))

-- NOT IsNull(stereotype) OR IsNull(type)
((not (("e"."stereotype" is null) or (btrim("e"."stereotype", $1::text) = $2::text))) or (("m"."type" is null) or (btrim("m"."type", $3::text) = $4::text)))

-- state -eq 'released' AND isReleased -eq true AND majorVersion -eq 2
(((not ("v"."state" is null)) and (lower("v"."state") = lower($1::text))) and (exists (select from jsonb_each(("v"."attributes" -> $2::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $3::text) and ("entry"."value" = to_jsonb($4::boolean))))) and (exists (select from jsonb_each(("v"."attributes" -> $5::text)) as "entry"("culture", "value") where ((jsonb_typeof("entry"."value") = $6::text) and ("entry"."value" = to_jsonb($7::numeric))))))

-- version -eq '2.1'
(exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text))))

-- name -eq 'x' OR (name -eq 'Pay' AND NOT type -eq 'area')
((exists (select from jsonb_each_text(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($2::text)))) or ((exists (select from jsonb_each_text(("v"."attributes" -> $3::text)) as "entry"("culture", "value") where (lower("entry"."value") = lower($4::text)))) and (not ((not ("m"."type" is null)) and (lower("m"."type") = lower($5::text))))))

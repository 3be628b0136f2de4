-- NAME eq 'Rome'
("t"."NAME" = $1::text)
-- ["Rome"]

-- NAME ne 'Rome'
(("t"."NAME" = $1::text) is not true)
-- ["Rome"]

-- NAME not eq Rome
(("t"."NAME" = $1::text) is not true)
-- ["Rome"]

-- not (NAME eq 'Rome')
(("t"."NAME" = $1::text) is not true)
-- ["Rome"]

-- not not (NAME eq 'Rome')
(not (("t"."NAME" = $1::text) is not true))
-- ["Rome"]

-- NAME eq null
("t"."NAME" is null)
-- []

-- NAME is not null
(not ("t"."NAME" is null))
-- []

-- CODE eq null
false
-- []

-- CODE ne null
(not false)
-- []

-- CODE ne 'a'
("t"."CODE" <> $1::text)
-- ["a"]

-- NAME gt 'A'
("t"."NAME" > $1::text)
-- ["A"]

-- not (NAME gt 'A')
(("t"."NAME" > $1::text) is not true)
-- ["A"]

-- NAME gt null
false
-- []

-- NAME in ('Rome', '')
("t"."NAME" = any($1::text[]))
-- [["Rome",""]]

-- NAME not in ('Rome', '')
(("t"."NAME" = any($1::text[])) is not true)
-- [["Rome",""]]

-- CODE in ('a', 'B')
("t"."CODE" = any($1::text[]))
-- [["a","B"]]

-- not (CODE in ('a', 'B'))
(not ("t"."CODE" = any($1::text[])))
-- [["a","B"]]

-- contains(NAME, '100%_')
("t"."NAME" like $1::text)
-- ["%100\\%\\_%"]

-- contains(NAME, '%')
("t"."NAME" like $1::text)
-- ["%\\%%"]

-- startswith(NAME, '_o')
("t"."NAME" like $1::text)
-- ["\\_o%"]

-- endswith(NAME, '\')
("t"."NAME" like $1::text)
-- ["%\\\\"]

-- contains(NAME, '')
("t"."NAME" like $1::text)
-- ["%%"]

-- not contains(NAME, 'o')
(("t"."NAME" like $1::text) is not true)
-- ["%o%"]

-- not contains(CODE, 'x')
(not ("t"."CODE" like $1::text))
-- ["%x%"]

-- contains(toupper(NAME), 'RÖME')
(upper("t"."NAME") like $1::text)
-- ["%RÖME%"]

-- tolower(NAME) eq 'rome'
(lower("t"."NAME") = $1::text)
-- ["rome"]

-- length(NAME) eq 13
(char_length("t"."NAME") = $1::bigint)
-- ["13"]

-- length(CODE) ge 100000
(char_length("t"."CODE") >= $1::bigint)
-- ["100000"]

-- not (length(NAME) gt 3)
((char_length("t"."NAME") > $1::bigint) is not true)
-- ["3"]

-- length(NAME) is null
(char_length("t"."NAME") is null)
-- []

-- COUNT eq 9007199254740993
("t"."COUNT" = $1::bigint)
-- ["9007199254740993"]

-- COUNT gt '9007199254740992'
("t"."COUNT" > $1::bigint)
-- ["9007199254740992"]

-- COUNT lt 1e40
("t"."COUNT" < $1::numeric)
-- ["1e40"]

-- COUNT ge -0.5 and COUNT in (9007199254740992, 1.5, 1e30)
(("t"."COUNT" >= $1::numeric) and ("t"."COUNT" = any($2::numeric[])))
-- ["-0.5",["9007199254740992","1.5","1e30"]]

-- SIZE eq 2147483648
("t"."SIZE" = $1::bigint)
-- ["2147483648"]

-- SIZE eq 1.0
("t"."SIZE" = $1::bigint)
-- ["1"]

-- SIZE in (0, 1e0)
("t"."SIZE" = any($1::bigint[]))
-- [["0","1"]]

-- not (SIZE gt 0)
("t"."SIZE" <= $1::bigint)
-- ["0"]

-- RATE eq 0.1
("t"."RATE" = $1::numeric)
-- ["0.1"]

-- RATE in (0.1, -2.5)
("t"."RATE" = any($1::numeric[]))
-- [["0.1","-2.5"]]

-- AMOUNT eq 12345678901234567890.123456789
("t"."AMOUNT" = $1::numeric)
-- ["12345678901234567890.123456789"]

-- AMOUNT eq 12345678901234567890.123456788
("t"."AMOUNT" = $1::numeric)
-- ["12345678901234567890.123456788"]

-- AMOUNT le -2.5
("t"."AMOUNT" <= $1::numeric)
-- ["-2.5"]

-- WEIGHT eq 0.3
("t"."WEIGHT" = $1::numeric)
-- ["0.3"]

-- not (WEIGHT ge 0.3)
("t"."WEIGHT" < $1::numeric)
-- ["0.3"]

-- BLOCKED eq true
("t"."BLOCKED" = $1::boolean)
-- [true]

-- BLOCKED ne true
(("t"."BLOCKED" = $1::boolean) is not true)
-- [true]

-- BLOCKED in ('FALSE')
("t"."BLOCKED" = $1::boolean)
-- [false]

-- PAID ne true
("t"."PAID" <> $1::boolean)
-- [true]

-- DUE eq 2015-05-07
("t"."DUE" = $1::date)
-- ["2015-05-07"]

-- DUE gt '2015-05-07'
("t"."DUE" > $1::date)
-- ["2015-05-07"]

-- DUE in (2015-05-08, 0001-01-01)
("t"."DUE" = any($1::date[]))
-- [["2015-05-08","0001-01-01"]]

-- DUE eq 2015-05-07T23:59:59
("t"."DUE" = $1::date)
-- ["2015-05-07"]

-- DUE gt 2015-05-07T00:00:00Z
("t"."DUE" > $1::date)
-- ["2015-05-07"]

-- DUE lt 9999-12-31T23:30-02:00
("t"."DUE" < $1::date)
-- ["10000-01-01"]

-- year(DUE) eq 2015 and month(DUE) eq 5 and day(DUE) in (7, 8)
((extract(year from "t"."DUE") = $1::bigint) and (extract(month from "t"."DUE") = $2::bigint) and (extract(day from "t"."DUE") = any($3::bigint[])))
-- ["2015","5",["7","8"]]

-- day(BOOKED) eq 29 or year(BOOKED) gt 9998.5
((extract(day from "t"."BOOKED") = $1::bigint) or (extract(year from "t"."BOOKED") > $2::numeric))
-- ["29","9998.5"]

-- OPENS eq 12:30
(("t"."OPENS" >= $1::time) and ("t"."OPENS" < $2::time))
-- ["12:30:00","12:31:00"]

-- OPENS eq 23:59:59
(("t"."OPENS" >= $1::time) and ("t"."OPENS" < $2::time))
-- ["23:59:59","24:00:00"]

-- OPENS gt 12:30:00
("t"."OPENS" >= $1::time)
-- ["12:30:01"]

-- CLOSES in (18:00, 00:00:00.000000)
(("t"."CLOSES" >= $1::time) and ("t"."CLOSES" < $2::time) and ((width_bucket("t"."CLOSES", $3::time[]) % $4::integer) = $5::integer))
-- ["00:00:00","18:01:00",["00:00:00","00:00:00.000001","18:00:00","18:01:00"],2,1]

-- not (CLOSES le 18:00)
("t"."CLOSES" >= $1::time)
-- ["18:01:00"]

-- SEEN eq 2015-05-07
(("t"."SEEN" >= $1::timestamp) and ("t"."SEEN" < $2::timestamp))
-- ["2015-05-07T00:00:00","2015-05-08T00:00:00"]

-- SEEN ne 2015-05-07
((("t"."SEEN" >= $1::timestamp) and ("t"."SEEN" < $2::timestamp)) is not true)
-- ["2015-05-07T00:00:00","2015-05-08T00:00:00"]

-- SEEN gt 2015-05-06
("t"."SEEN" >= $1::timestamp)
-- ["2015-05-07T00:00:00"]

-- SEEN gt 2015-05-07
("t"."SEEN" >= $1::timestamp)
-- ["2015-05-08T00:00:00"]

-- SEEN le 2015-05-07
("t"."SEEN" < $1::timestamp)
-- ["2015-05-08T00:00:00"]

-- SEEN lt 2015-05-07
("t"."SEEN" < $1::timestamp)
-- ["2015-05-07T00:00:00"]

-- MADE eq 2015-05-07T08:30
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:00","2015-05-07T08:31:00"]

-- MADE gt 2015-05-07T08:30
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:31:00"]

-- MADE eq 2015-05-07T08:30:15
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:15","2015-05-07T08:30:16"]

-- MADE eq 2015-05-07T08:30:15.123
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:15.123000","2015-05-07T08:30:15.124000"]

-- MADE eq 2015-05-07T08:30:15.124
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:15.124000","2015-05-07T08:30:15.125000"]

-- MADE eq 2015-05-07T08:30:15.1234560000
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:15.123456","2015-05-07T08:30:15.123457"]

-- MADE eq 2015-05-07T08:30:15.1234561
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T08:30:15.123457","2015-05-07T08:30:15.123457"]

-- MADE ne 2015-05-07T08:30:15.1234561
(not (("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp)))
-- ["2015-05-07T08:30:15.123457","2015-05-07T08:30:15.123457"]

-- MADE gt 2015-05-07T08:30:15.1234559
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:30:15.123456"]

-- MADE ge 2015-05-07T08:30:15.123455999999
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:30:15.123456"]

-- MADE gt 2015-05-07T08:30:15.1234561
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:30:15.123457"]

-- MADE ge 2015-05-07T08:30:15.123456000001Z
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:30:15.123457"]

-- MADE le 2015-05-07T08:30:15.1234561
("t"."MADE" < $1::timestamp)
-- ["2015-05-07T08:30:15.123457"]

-- MADE lt 2015-05-07T10:30:15.1234561+02:00
("t"."MADE" < $1::timestamp)
-- ["2015-05-07T08:30:15.123457"]

-- MADE lt 2015-05-07T08:30:15.1234559
("t"."MADE" < $1::timestamp)
-- ["2015-05-07T08:30:15.123456"]

-- MADE in (2015-05-07T08:30:15.1234561, 2015-05-08T00:00:00.0000000)
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-08T00:00:00","2015-05-08T00:00:00.000001"]

-- READ gt 9999-12-31T23:59:59.9999989
("t"."READ" >= $1::timestamptz)
-- ["9999-12-31T23:59:59.999999Z"]

-- READ gt 9999-12-31T23:59:59.9999999
("t"."READ" >= $1::timestamptz)
-- ["10000-01-01T00:00:00Z"]

-- OPENS gt 23:59:59.9999989
("t"."OPENS" >= $1::time)
-- ["23:59:59.999999"]

-- OPENS le 23:59:59.9999999
("t"."OPENS" < $1::time)
-- ["24:00:00"]

-- OPENS eq 12:30:00.0000001
(("t"."OPENS" >= $1::time) and ("t"."OPENS" < $2::time))
-- ["12:30:00.000001","12:30:00.000001"]

-- DUE eq 2015-05-07T23:59:59.9999999
("t"."DUE" = $1::date)
-- ["2015-05-07"]

-- MADE ge 2015-05-07T10:30:15.123456+02:00
("t"."MADE" >= $1::timestamp)
-- ["2015-05-07T08:30:15.123456"]

-- MADE le 9999-12-31
("t"."MADE" < $1::timestamp)
-- ["10000-01-01T00:00:00"]

-- MADE in (2015-05-07, 2015-05-08T00:00:00Z)
(("t"."MADE" >= $1::timestamp) and ("t"."MADE" < $2::timestamp))
-- ["2015-05-07T00:00:00","2015-05-08T00:00:01"]

-- not (SEEN in (2015-05-07))
((("t"."SEEN" >= $1::timestamp) and ("t"."SEEN" < $2::timestamp)) is not true)
-- ["2015-05-07T00:00:00","2015-05-08T00:00:00"]

-- SENT eq 2015-05-07
(("t"."SENT" >= $1::timestamptz) and ("t"."SENT" < $2::timestamptz))
-- ["2015-05-07T00:00:00Z","2015-05-08T00:00:00Z"]

-- SENT eq 2015-05-07T00:00+02:00
(("t"."SENT" >= $1::timestamptz) and ("t"."SENT" < $2::timestamptz))
-- ["2015-05-06T22:00:00Z","2015-05-06T22:01:00Z"]

-- READ eq 2015-05-07T08:30:15Z or READ eq 9999-12-31
((("t"."READ" >= $1::timestamptz) and ("t"."READ" < $2::timestamptz)) or (("t"."READ" >= $3::timestamptz) and ("t"."READ" < $4::timestamptz)))
-- ["2015-05-07T08:30:15Z","2015-05-07T08:30:16Z","9999-12-31T00:00:00Z","10000-01-01T00:00:00Z"]

-- READ in (0001-01-01, 2015-05-07T20:30:15+12:00)
(("t"."READ" >= $1::timestamptz) and ("t"."READ" < $2::timestamptz) and ((width_bucket("t"."READ", $3::timestamptz[]) % $4::integer) = $5::integer))
-- ["0001-01-01T00:00:00Z","2015-05-07T08:30:16Z",["0001-01-01T00:00:00Z","0001-01-02T00:00:00Z","2015-05-07T08:30:15Z","2015-05-07T08:30:16Z"],2,1]

-- day(SENT) eq 6
(extract(day from timezone($1::text, "t"."SENT")) = $2::bigint)
-- ["UTC","6"]

-- NAME eq 'x' or (SIZE ge 0 and not (BLOCKED eq false or DUE lt 2015-01-01))
(("t"."NAME" = $1::text) or (("t"."SIZE" >= $2::bigint) and ((("t"."BLOCKED" = $3::boolean) or ("t"."DUE" < $4::date)) is not true)))
-- ["x","0",false,"2015-01-01"]

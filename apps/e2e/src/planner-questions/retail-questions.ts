/** What people ask a chain of shops: a star schema of sales, returns and stock. As in purchasing-questions.ts; today is 2025-12-31. */
export const retailQuestions = `
How many stores do we have? => select count(*) from store
How many stores are in Austria? => select count(*) from store where country = 'AT'
How many customers live in Austria? => select count(*) from customer where country = 'AT'
Wie viele Filialen gibt es in Österreich? => select count(*) from store where country = 'AT'
Wie viele Kunden wohnen in der Schweiz? => select count(*) from customer where country = 'CH'
How many stores are closed? => select count(*) from store where closed_on is not null
Which stores are closed? => select name from store where closed_on is not null
How many products are discontinued? => select count(*) from product where discontinued
How many products are in the category Garden? => select count(*) from product where category = 'Garden'
How many sales were there in 2025? => select count(*) from sale where sold_on between '2025-01-01' and '2025-12-31'
How many sales were online? => select count(*) from sale where channel = 'online'
How many sales were made without a customer card? => select count(*) from sale where customer_id is null
What is the revenue? => select sum(amount) from sale
What is the revenue in 2025? => select sum(amount) from sale where sold_on between '2025-01-01' and '2025-12-31'
What is the revenue of stores in Germany? => select sum(amount) from sale s join store t using (store_id) where t.country = 'DE'
What is the revenue with customers in Germany? => select sum(amount) from sale s join customer c using (customer_id) where c.country = 'DE'
What is the revenue in Germany? => ask
Revenue by country => ask
Revenue by store country => select t.country, sum(amount) from sale s join store t using (store_id) group by 1
Umsatz nach Warengruppe => select p.category, sum(amount) from sale s join product p using (product_id) group by 1
Umsatz je Filiale => select t.name, sum(amount) from sale s join store t using (store_id) group by 1
Revenue by category in 2025 => select p.category, sum(amount) from sale s join product p using (product_id) where sold_on >= '2025-01-01' group by 1
Revenue by year => select sum(amount) from sale group by extract(year from sold_on)
Revenue by quarter in 2025 => select sum(amount) from sale where sold_on >= '2025-01-01' group by date_trunc('quarter', sold_on)
Revenue per week in December 2025 => select sum(amount) from sale where sold_on between '2025-12-01' and '2025-12-31' group by date_trunc('week', sold_on)
Revenue by month in 2025 => select sum(amount) from sale where sold_on >= '2025-01-01' group by date_trunc('month', sold_on)
Umsatz pro Quartal im Jahr 2024 => select sum(amount) from sale where sold_on between '2024-01-01' and '2024-12-31' group by date_trunc('quarter', sold_on)
Revenue in 2025 compared to the previous year => select sum(amount) from sale where sold_on between '2025-01-01' and '2025-12-31' union all select sum(amount) from sale where sold_on between '2024-01-01' and '2024-12-31'
Is the return rate in 2025 better or worse than in 2024? => select avg(returned::int) from sale where sold_on between '2025-01-01' and '2025-12-31' union all select avg(returned::int) from sale where sold_on between '2024-01-01' and '2024-12-31'
Umsatz im November 2025 im Vergleich zum Vorjahr => select sum(amount) from sale where sold_on between '2025-11-01' and '2025-11-30' union all select sum(amount) from sale where sold_on between '2024-11-01' and '2024-11-30'
What is the return rate? => select avg(returned::int) from sale
What is the return rate by category? => select p.category, avg(s.returned::int) from sale s join product p using (product_id) group by 1
Wie hoch ist die Retourenquote je Kanal? => select channel, avg(returned::int) from sale group by 1
Which category has the highest return rate? => select p.category, avg(s.returned::int) from sale s join product p using (product_id) group by 1 order by 2 desc limit 1
Which store has the highest revenue? => select t.name, sum(amount) from sale s join store t using (store_id) group by 1 order by 2 desc limit 1
Top 3 products by revenue => select p.name, sum(amount) from sale s join product p using (product_id) group by 1 order by 2 desc limit 3
Which three stores have the lowest revenue in 2025? => select t.name, sum(amount) from sale s join store t using (store_id) where sold_on >= '2025-01-01' group by 1 order by 2 limit 3
Welche Filiale hat den höchsten Umsatz? => select t.name, sum(amount) from sale s join store t using (store_id) group by 1 order by 2 desc limit 1
How many sales were returned? => select count(*) from sale where returned
How many sales were returned in the category Garden? => select count(*) from sale s join product p using (product_id) where returned and p.category = 'Garden'
Wie viele Verkäufe wurden zurückgegeben? => select count(*) from sale where returned
What share of sales was returned? => select avg(returned::int) from sale
What share of revenue is online? => select sum(amount) filter (where channel = 'online') / sum(amount) from sale
Welcher Anteil des Umsatzes ist online? => select sum(amount) filter (where channel = 'online') / sum(amount) from sale
What percentage of customers are members? => select avg(member::int) from customer
How many customers are members? => select count(*) from customer where member
How many customers are not members? => select count(*) from customer where not member
What is the average amount of a sale? => select avg(amount) from sale
What is the average revenue per sale? => select sum(amount) / count(*) from sale
What is the average revenue per store? => select sum(amount) / (select count(distinct store_id) from sale) from sale
What is the median amount of sales? => select percentile_cont(0.5) within group (order by amount) from sale
Wie hoch ist der durchschnittliche Verkaufsbetrag? => select avg(amount) from sale
What is the average price of products in the category Tools? => select avg(price) from product where category = 'Tools'
What is the average floor space of stores in Germany? => select avg(floor_space) from store where country = 'DE'
How many stores have more than 800 square metres? => select count(*) from store where floor_space > 800
How many sales were over 500 EUR? => select count(*) from sale where amount > 500
Wie viele Verkäufe lagen über 500 EUR? => select count(*) from sale where amount > 500
List the five largest sales => select sale_no, amount from sale order by amount desc, sale_no limit 5
Zeige die drei größten Verkäufe im Jahr 2025 => select sale_no, amount from sale where sold_on >= '2025-01-01' order by amount desc, sale_no limit 3
List the three largest stores => select name from store order by floor_space desc limit 3
Show the five most expensive products => select name, price from product order by price desc, product_id limit 5
Revenue in 2025 // and in the year before? => select sum(amount) from sale where sold_on between '2024-01-01' and '2024-12-31'
Revenue in 2025 // by category => select p.category, sum(amount) from sale s join product p using (product_id) where sold_on >= '2025-01-01' group by 1
Revenue in the category Garden // and in Tools? => select sum(amount) from sale s join product p using (product_id) where p.category = 'Tools'
How many sales were returned? // and online? => select count(*) from sale where returned and channel = 'online'
Revenue in Germany // the store's => select sum(amount) from sale s join store t using (store_id) where t.country = 'DE'
What was the revenue last month? => select sum(amount) from sale where sold_on between '2025-11-01' and '2025-11-30'
Revenue of members => select sum(amount) from sale s join customer c using (customer_id) where c.member
What is the revenue of discontinued products? => select sum(amount) from sale s join product p using (product_id) where p.discontinued
How many sales did members make in 2025? => select count(*) from sale s join customer c using (customer_id) where c.member and sold_on >= '2025-01-01'
What is the gross margin? => select (sum(amount) - sum(cost)) / sum(amount) from sale
Gross margin by category => select p.category, (sum(amount) - sum(cost)) / sum(amount) from sale s join product p using (product_id) group by 1
Wie hoch ist die Marge in Filialen in Deutschland? => select (sum(amount) - sum(cost)) / sum(amount) from sale s join store t using (store_id) where t.country = 'DE'
How many units were sold in 2025? => select sum(quantity) from sale where sold_on >= '2025-01-01'
What is the maverick rate? => refuse
How many employees does the store in Berlin have? => refuse
What is the revenue in Japan? => refuse
Wie hoch ist die Kundenzufriedenheit? => refuse
What will the revenue be next year? => refuse
How many suppliers do we have? => refuse
`;

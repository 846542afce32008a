using System;
using System.Net.Http;
using System.Threading.Tasks;
using Grpc.Core;
using Grpc.Core.Interceptors;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
using Shisanzhi.V1;

namespace Shisanzhi
{
    /// <summary>How a client reaches the service: what is tried again, deadlines, typed errors.</summary>
    public static class GameLogic
    {
        /// <summary>Seconds that a call has if it names no deadline.</summary>
        public const int DefaultDeadlineSeconds = 10;

        // Enough tries, up to half a second apart, to outlast a restart of the only server.
        private const int Attempts = 12;

        /// <summary>Gives the options of a channel, with another handler where the platform needs one.</summary>
        public static GrpcChannelOptions Options(HttpMessageHandler handler = null)
        {
            RetryPolicy retries = new RetryPolicy
            {
                MaxAttempts = Attempts,
                InitialBackoff = TimeSpan.FromSeconds(0.05),
                MaxBackoff = TimeSpan.FromSeconds(0.5),
                BackoffMultiplier = 2,
                // A server that stops cuts calls off as cancelled; every call may be repeated.
                RetryableStatusCodes = { StatusCode.Unavailable, StatusCode.Cancelled },
            };
            MethodConfig every = new MethodConfig { Names = { MethodName.Default }, RetryPolicy = retries };
            return new GrpcChannelOptions
            {
                HttpHandler = handler,
                MaxRetryAttempts = Attempts,
                ServiceConfig = new ServiceConfig { MethodConfigs = { every } },
            };
        }

        /// <summary>Gives a client whose calls have a deadline and throw CallException.</summary>
        public static GameLogicService.GameLogicServiceClient Client(GrpcChannel channel)
        {
            return new GameLogicService.GameLogicServiceClient(Invoker(channel));
        }

        /// <summary>Gives what such a client calls through.</summary>
        public static CallInvoker Invoker(GrpcChannel channel)
        {
            return channel.Intercept(new TypedCalls());
        }

        private sealed class TypedCalls : Interceptor
        {
            public override TResponse BlockingUnaryCall<TRequest, TResponse>(
                TRequest request,
                ClientInterceptorContext<TRequest, TResponse> context,
                BlockingUnaryCallContinuation<TRequest, TResponse> continuation)
            {
                try
                {
                    return continuation(request, WithDeadline(context));
                }
                catch (RpcException error)
                {
                    throw CallException.From(error);
                }
            }

            public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(
                TRequest request,
                ClientInterceptorContext<TRequest, TResponse> context,
                AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
            {
                AsyncUnaryCall<TResponse> call = continuation(request, WithDeadline(context));
                return new AsyncUnaryCall<TResponse>(
                    Typed(call.ResponseAsync),
                    call.ResponseHeadersAsync,
                    call.GetStatus,
                    call.GetTrailers,
                    call.Dispose);
            }

            private static async Task<TResponse> Typed<TResponse>(Task<TResponse> response)
            {
                try
                {
                    return await response.ConfigureAwait(false);
                }
                catch (RpcException error)
                {
                    throw CallException.From(error);
                }
            }

            private static ClientInterceptorContext<TRequest, TResponse> WithDeadline<TRequest, TResponse>(
                ClientInterceptorContext<TRequest, TResponse> context)
                where TRequest : class
                where TResponse : class
            {
                if (context.Options.Deadline != null)
                {
                    return context;
                }

                DateTime deadline = DateTime.UtcNow.AddSeconds(DefaultDeadlineSeconds);
                return new ClientInterceptorContext<TRequest, TResponse>(
                    context.Method, context.Host, context.Options.WithDeadline(deadline));
            }
        }
    }
}

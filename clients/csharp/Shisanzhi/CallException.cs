using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Google.Protobuf;
using Google.Rpc;
using Grpc.Core;

namespace Shisanzhi
{
    /// <summary>One thing that is wrong with a request.</summary>
    public sealed class Fault
    {
        /// <summary>Takes what the service says of it.</summary>
        public Fault(string path, string reason, string description)
        {
            Path = path;
            Reason = reason;
            Description = description;
        }

        /// <summary>Where, by the contract's field names, such as arrangements[2].middle[4].</summary>
        public string Path { get; }

        /// <summary>Why: the name of an ErrorReason without its prefix, or one that is newer.</summary>
        public string Reason { get; }

        /// <summary>The same in English, for developers.</summary>
        public string Description { get; }
    }

    /// <summary>A call that was not answered. Branch on the reason, and on the code where there is none.</summary>
    public sealed class CallException : Exception
    {
        private const string DetailsKey = "grpc-status-details-bin";
        private const string LeftOutKey = "faults_left_out";

        private CallException(RpcException cause, Google.Rpc.Status status)
            : base(cause.Status.Detail, cause)
        {
            ErrorInfo info = Detail<ErrorInfo>(status);
            RetryInfo retry = Detail<RetryInfo>(status);
            Code = cause.StatusCode;
            Reason = info.Reason;
            Faults = Detail<BadRequest>(status).FieldViolations
                .Select(each => new Fault(each.Field, each.Reason, each.Description))
                .ToList();
            LeftOut = info.Metadata.TryGetValue(LeftOutKey, out string count)
                ? int.Parse(count, CultureInfo.InvariantCulture)
                : 0;
            RetryAfter = retry.RetryDelay?.ToTimeSpan();
            RequestId = Detail<RequestInfo>(status).RequestId;
        }

        /// <summary>The status code.</summary>
        public StatusCode Code { get; }

        /// <summary>The name of an ErrorReason without its prefix; empty where the call failed on its way.</summary>
        public string Reason { get; }

        /// <summary>All that is wrong with the request, as far as it fits; empty where it is not to blame.</summary>
        public IReadOnlyList<Fault> Faults { get; }

        /// <summary>Faults that did not fit.</summary>
        public int LeftOut { get; }

        /// <summary>How long to wait before the next try, where the service says so.</summary>
        public TimeSpan? RetryAfter { get; }

        /// <summary>What finds the cause in the service's log, of a fault of its own; else empty.</summary>
        public string RequestId { get; }

        /// <summary>Reads what a failed call ended with.</summary>
        public static CallException From(RpcException cause)
        {
            byte[] details = cause.Trailers.GetValueBytes(DetailsKey);
            Google.Rpc.Status status = details == null
                ? new Google.Rpc.Status()
                : Google.Rpc.Status.Parser.ParseFrom(details);
            return new CallException(cause, status);
        }

        /// <summary>Gives a detail of one type; an empty one where the status has none.</summary>
        private static T Detail<T>(Google.Rpc.Status status)
            where T : class, IMessage<T>, new()
        {
            foreach (Google.Protobuf.WellKnownTypes.Any detail in status.Details)
            {
                if (detail.TryUnpack(out T found))
                {
                    return found;
                }
            }

            return new T();
        }
    }
}
